from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the ledger what only the court knows: boards adjourned, players warned, boards with something filed; and
        the court's parts of the event document.
        """
        from games.models import Effect
        from games.selectors.filed import filed_pairings
        from games.selectors.fouls import warnings_by_entry
        from games.selectors.interrupted import adjourned_pairings
        from games.selectors.open_points import open_points
        from games.selectors.waiting import open_appeals
        from games.services import document_court, document_games
        from tournaments.audit import reasons
        from tournaments.documents import parts as document_parts
        from tournaments.selectors import interrupted, open_cases, readiness
        from tournaments.selectors.fouls import count_with
        from tournaments.services import filed

        count_with(warnings_by_entry)
        reasons.name_values("effect", dict(Effect.choices))
        if adjourned_pairings not in interrupted.SOURCES:
            interrupted.SOURCES.append(adjourned_pairings)
        if filed_pairings not in filed.SOURCES:
            filed.SOURCES.append(filed_pairings)
        if open_appeals not in open_cases.SOURCES:
            open_cases.SOURCES.append(open_appeals)
        if open_points not in readiness.SOURCES:
            readiness.SOURCES.append(open_points)
        for part in (*document_games.PARTS, document_court.PART):  # incidents name games
            if part not in document_parts.PARTS:
                document_parts.PARTS.append(part)
        _read_sheets()


def _read_sheets() -> None:
    """The reading of photographed scoresheets is a job of the queue."""
    from games.services.photos import run_reading_job
    from tournaments.models import Job
    from tournaments.services.runners import RUNNERS

    RUNNERS[Job.Kind.READ_SHEETS] = run_reading_job
