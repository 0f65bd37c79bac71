"""What was decided before holds were kept is final too: boards, games of matches, and boards that are open again."""

from typing import Any

from django.db import migrations

LIFTED = {
    "WHITE_FORFEITS": ["WHITE_FORFEITS", "BOTH_FORFEIT"],
    "BLACK_FORFEITS": ["BLACK_FORFEITS", "BOTH_FORFEIT"],
    "BOTH_FORFEIT": ["WHITE_FORFEITS", "BLACK_FORFEITS", "BOTH_FORFEIT"],
}


def hold_decided(apps: Any, schema_editor: Any) -> None:
    hold = apps.get_model("tournaments", "Hold")
    decided = apps.get_model("games", "Appeal").objects.filter(state="DECIDED")
    decided = decided.select_related("section", "ruling__incident__game", "ruling__incident__pairing__round")
    for appeal in decided.order_by("event", "number"):
        board = appeal.ruling.incident.pairing
        if board is None:
            continue
        number = _number(appeal)
        facts = _facts(apps, board, number)
        kind, more = _kind(appeal.ruling, facts, board)
        hold.objects.create(
            section=appeal.section, case=f"A{appeal.number}", is_final=True, kind=kind, pairing=board, number=number,
            round_number=board.round.number, board=board.board, values={**facts, **more},
        )  # fmt: skip


def _number(appeal: Any) -> int | None:
    """Which game of a match the ruling spoke of; None for a board with one game and for a match as a whole."""
    game, section = appeal.ruling.incident.game, appeal.section
    is_match = bool(section.match_rule) or section.format.startswith("TEAM_")
    return game.number if is_match and game is not None else None


def _facts(apps: Any, board: Any, number: int | None) -> dict[str, Any]:
    seats = {"white": board.white_id, "black": board.black_id}
    if number is None:
        return {**seats, "outcome": board.outcome, "grade": board.grade, "advances": board.advances}
    games = apps.get_model("tournaments", "MatchGame").objects
    game = games.filter(pairing_id=board.pk, number=number).first()
    if game is None:
        return {**seats, "outcome": "UNPLAYED", "grade": ""}
    people = {"first": game.first_id, "second": game.second_id}
    return {**seats, "outcome": game.outcome, "grade": game.grade, **people}


def _kind(ruling: Any, facts: dict[str, Any], board: Any) -> tuple[str, dict[str, Any]]:
    """Of an open board the seats stay, and a forfeit that was lifted does not come back."""
    if facts["outcome"] != "UNPLAYED":
        return "RESULT", {"match": board.outcome}
    taken = ruling.applied.get("outcome", {}).get("after", "") if ruling.state == "OVERTURNED" else ""
    return ("TO_PLAY", {"not": LIFTED[taken]}) if taken in LIFTED else ("SEATS", {})


class Migration(migrations.Migration):
    dependencies = [("games", "0007_attempts"), ("tournaments", "0015_holds")]
    operations = [migrations.RunPython(hold_decided, migrations.RunPython.noop)]
