"""What the boards of a player become when the player leaves, by withdrawal or disqualification: the one place for both."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.engine.types import PLAYED, Outcome

# (pairing, white entry, black entry, outcome)
Drawn = tuple[int, int, int | None, str]


def fallen(boards: Iterable[Drawn], *, entry: int, annuls: bool) -> dict[int, Outcome]:
    """The boards of an entry that change when it leaves for good, by pairing.

    Results stand and open boards are forfeited. With `annuls` every board is annulled instead when under half of them
    were played.
    """
    own = [row for row in boards if entry in (row[1], row[2]) and row[2] is not None]
    played = sum(outcome in PLAYED for _pk, _white, _black, outcome in own)
    if annuls and 2 * played < len(own):
        return {pk: Outcome.VOID for pk, _white, _black, outcome in own if outcome != Outcome.VOID}
    return {
        pk: Outcome.WHITE_FORFEITS if white == entry else Outcome.BLACK_FORFEITS
        for pk, white, _black, outcome in own
        if outcome == Outcome.UNPLAYED
    }
