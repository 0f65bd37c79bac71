"""Which copies of a game's scoresheet count, and what is asked for before its result is final."""

from __future__ import annotations

from games import adjudication
from games import sheets as reading
from games.adjudication import CopyState, Gap
from games.models import Copy, Game, Scoresheet, Side


def missing_to_finalise(game: Game, *, outcome: str) -> tuple[Gap, ...]:
    """What is asked for and not there. Three queries."""
    copies = {copy.side: copy for copy in game.copies.all()}
    sheets = latest_sheets(game)
    states = [
        _copy_state(copies.get(side) or Copy(game=game, side=side), sheets.get(side), game)
        for side in Side.values
    ]
    return adjudication.gaps(
        white=states[0], black=states[1], has_score=bool(game.moves), has_result=outcome != "UNPLAYED"
    )


def latest_sheets(game: Game) -> dict[str, Scoresheet]:
    """The copy that counts for each side: the latest handed in."""
    found: dict[str, Scoresheet] = {}
    for sheet in game.sheets.order_by("pk"):
        sheet.game = game
        found[sheet.side] = sheet
    return found


def _copy_state(copy: Copy, sheet: Scoresheet | None, game: Game) -> CopyState:
    if sheet is None:
        return CopyState(
            received=copy.status == Copy.Status.RECEIVED,
            waived=bool(copy.waived_reason),
            to_complete=copy.to_complete,
            white_seconds=game.white_time,
            black_seconds=game.black_time,
        )
    value = reading.sheet_value(sheet)
    return CopyState(
        received=copy.status == Copy.Status.RECEIVED,
        waived=bool(copy.waived_reason),
        to_complete=copy.to_complete,
        white_seconds=value.white_seconds if value.white_seconds is not None else game.white_time,
        black_seconds=value.black_seconds if value.black_seconds is not None else game.black_time,
        white_signed=sheet.white_signed,
        black_signed=sheet.black_signed,
    )
