from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the ledger, which knows no adjournments, which open boards are adjourned."""
        from games.selectors.interrupted import adjourned_pairings
        from tournaments.services import interrupted

        if adjourned_pairings not in interrupted.SOURCES:
            interrupted.SOURCES.append(adjourned_pairings)
