from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the ledger what only the court knows: boards adjourned, players warned, boards with something filed."""
        from games.selectors.filed import filed_pairings
        from games.selectors.fouls import warnings_by_entry
        from games.selectors.interrupted import adjourned_pairings
        from tournaments.selectors.fouls import count_with
        from tournaments.services import filed, interrupted

        count_with(warnings_by_entry)
        if adjourned_pairings not in interrupted.SOURCES:
            interrupted.SOURCES.append(adjourned_pairings)
        if filed_pairings not in filed.SOURCES:
            filed.SOURCES.append(filed_pairings)
