from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.selectors.fouls import warnings_by_entry
        from tournaments.selectors.fouls import count_with

        count_with(warnings_by_entry)
