"""Draws by the course of the game (article 12.3): counters for every ply and the ply from which a draw can be claimed.

Promises: a count starts with the first move after the position that creates its condition; plies are single moves,
so "16 moves each" is 32 plies. Never ends a game: the arbiter does, on a player's claim (article 12.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from rules.board import LONG_DIAGONAL, Position, Side
from rules.moves import has_legal_move


class Profile(StrEnum):
    """Whose draw clauses apply."""

    CN = "CN"
    FMJD_2024 = "FMJD_2024"


class DrawKind(StrEnum):
    THREEFOLD = "threefold"
    MOVES_25 = "25"
    MOVES_16 = "16"
    MOVES_5 = "5"


DRAW_ARTICLES: dict[Profile, dict[DrawKind, tuple[str, ...]]] = {
    Profile.CN: {
        DrawKind.THREEFOLD: ("12.3.1",),
        DrawKind.MOVES_25: ("12.3.2",),
        DrawKind.MOVES_16: ("12.3.3",),
        DrawKind.MOVES_5: ("12.3.4",),
    },
    Profile.FMJD_2024: {
        DrawKind.THREEFOLD: ("FMJD 6.1",),
        DrawKind.MOVES_25: ("FMJD 6.2",),
        DrawKind.MOVES_16: ("FMJD 6.3",),
        DrawKind.MOVES_5: ("FMJD 6.4",),
    },
}

REPETITIONS = 3
PLIES_25 = 50
PLIES_16 = 32
PLIES_5 = 10
PLIES_BEFORE_OFFER = 80
MOVES_BEFORE_OFFER = 40
"""Both players have made 40 moves (article 12.4)."""


class Counters(NamedTuple):
    """How far each draw has come after a ply. `None`: the material the clause asks for is not on the board."""

    repetitions: int
    """How often this position has stood with this side to move, this time included."""
    king_plies: int
    """Plies in a row in which only kings moved and nothing was taken."""
    plies_16: int | None
    """Plies since three pieces, one a king at least, stood against a lone king. Goes on when one of the three is lost."""
    plies_5: int | None
    """Plies since one or two pieces, one a king at least, stood against a lone king."""
    plies_diagonal: int | None
    """Plies since the lone king facing three pieces holds the long diagonal (profile `FMJD_2024` only)."""

    def reached(self) -> tuple[DrawKind, ...]:
        """The draws that can be claimed now."""
        found = []
        if self.repetitions >= REPETITIONS:
            found.append(DrawKind.THREEFOLD)
        if self.king_plies >= PLIES_25:
            found.append(DrawKind.MOVES_25)
        if self.plies_16 is not None and self.plies_16 >= PLIES_16:
            found.append(DrawKind.MOVES_16)
        if max(self.plies_5 or 0, self.plies_diagonal or 0) >= PLIES_5:
            found.append(DrawKind.MOVES_5)
        return tuple(found)


class DrawRight(NamedTuple):
    """From the position after `ply` on a draw could be claimed by these articles."""

    kind: DrawKind
    ply: int
    articles: tuple[str, ...]


def counters(positions: Sequence[Position], *, profile: Profile = Profile.CN) -> tuple[Counters, ...]:
    """The counters of a game: `positions[n]` stands after n plies, the answer has one entry for each position."""
    found: list[Counters] = []
    seen: dict[Position, int] = {}
    king_plies = 0
    plies_16 = plies_5 = plies_diagonal = None
    before: Position | None = None
    for position in positions:
        if before is not None and _only_kings_moved(before, position):
            king_plies += 1
        else:
            king_plies = 0
            seen.clear()
        seen[position] = repetitions = seen.get(position, 0) + 1
        against_lone = _pieces_against_lone_king(position)
        plies_16 = _next(plies_16, against_lone == 3 or (against_lone > 0 and plies_16 is not None))
        plies_5 = _next(plies_5, against_lone in (1, 2))
        holds = profile is Profile.FMJD_2024 and against_lone == 3 and _lone_king_on_diagonal(position)
        plies_diagonal = _next(plies_diagonal, holds)
        found.append(Counters(repetitions, king_plies, plies_16, plies_5, plies_diagonal))
        before = position
    return tuple(found)


def _next(count: int | None, holds: bool) -> int | None:
    if not holds:
        return None
    return 0 if count is None else count + 1


def _only_kings_moved(before: Position, after: Position) -> bool:
    return (
        before.white_men == after.white_men
        and before.black_men == after.black_men
        and before.white_kings.bit_count() == after.white_kings.bit_count()
        and before.black_kings.bit_count() == after.black_kings.bit_count()
    )


def _pieces_against_lone_king(position: Position) -> int:
    """How many pieces, one a king at least, stand against a lone king: 1, 2 or 3; 0 when it is no such ending."""
    white_men, white_kings, black_men, black_kings, _ = position
    if not white_kings or not black_kings:
        return 0
    whites, blacks = (white_men | white_kings).bit_count(), (black_men | black_kings).bit_count()
    if whites == 1:
        return blacks if blacks <= 3 else 0
    return whites if blacks == 1 and whites <= 3 else 0


def _lone_king_on_diagonal(position: Position) -> bool:
    black_alone = position.black_men == 0 and position.black_kings.bit_count() == 1
    lone = position.black_kings if black_alone else position.white_kings
    return bool(lone & LONG_DIAGONAL)


def draw_rights(positions: Sequence[Position], *, profile: Profile = Profile.CN) -> tuple[DrawRight, ...]:
    """The first ply from which each kind of draw could be claimed, in order of the plies.

    `positions[n]` stands after n plies. A last move that wins beats the draw it would complete.
    """
    if not _worth_counting(positions):
        return ()
    first: dict[DrawKind, int] = {}
    for ply, counted in enumerate(counters(positions, profile=profile)):
        for kind in counted.reached():
            first.setdefault(kind, ply)
    last = len(positions) - 1
    if last in first.values() and not has_legal_move(positions[-1]):
        first = {kind: ply for kind, ply in first.items() if ply < last}
    ordered = sorted(first.items(), key=lambda item: item[1])
    return tuple(DrawRight(kind, ply, DRAW_ARTICLES[profile][kind]) for kind, ply in ordered)


def _worth_counting(positions: Sequence[Position]) -> bool:
    """Whether any draw can have been reached: a lone king now and then, or men that stand still for a while.

    The quickest repetition takes eight plies that move no man, the quickest count of a lone king ten. Of so many
    positions in a row looking at every fourth meets a lone king, or the same men twice running.
    """
    men = None
    for position in positions[::4]:
        white_men, _, black_men, _, _ = position
        if (white_men, black_men) == men or _pieces_against_lone_king(position):
            return True
        men = white_men, black_men
    return False


def may_agree(plies: int) -> bool:
    """Whether both players have made the forty moves before which no draw may be offered (article 12.4)."""
    return plies >= PLIES_BEFORE_OFFER


def moves_of(plies: int, side: Side, *, first: Side = Side.WHITE) -> int:
    """How many moves `side` has made after so many plies."""
    return (plies + 1) // 2 if side is first else plies // 2


class DrawOffer(NamedTuple):
    """An offer made after `ply` single moves by `side`."""

    ply: int
    side: Side


class OfferFault(StrEnum):
    TOO_EARLY = "offer-too-early"
    REPEATED = "offer-repeated"
    NOT_AFTER_OWN_MOVE = "offer-not-after-own-move"


def offer_faults(
    offers: Sequence[DrawOffer], *, first: Side = Side.WHITE
) -> tuple[tuple[DrawOffer, OfferFault], ...]:
    """What article 12.4 says against each offer, in order of the plies.

    A player moves, then offers; both have made forty moves; after a refusal (the opponent's next move is one) the same
    player waits until the opponent has offered. `first` made ply 1.
    """
    found: list[tuple[DrawOffer, OfferFault]] = []
    last_side: Side | None = None
    for offer in sorted(offers):
        mover = first if offer.ply % 2 else first.opponent
        if not may_agree(offer.ply):
            found.append((offer, OfferFault.TOO_EARLY))
        if offer.side is not mover:
            found.append((offer, OfferFault.NOT_AFTER_OWN_MOVE))
        if offer.side is last_side:
            found.append((offer, OfferFault.REPEATED))
        last_side = offer.side
    return tuple(found)
