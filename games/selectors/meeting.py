"""The arbiter's view of games: which sheets are in, where two differ, what a decision could be. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import rules
from games import adjudication
from games import sheets as reading
from games.adjudication import Decision, Doubt, Gap, Meeting, Ruling
from games.models import Copy, Game, Result, Scoresheet, Side
from games.selectors.completeness import missing_to_finalise
from games.selectors.viewer import Line, line_of
from games.slots import Seat, game_at, seats_of, with_games
from rules.verdict import move_number
from tournaments.models import Pairing, Round

ABOVE_SHEETS = {
    Result.Source.CLAIM, Result.Source.AGREEMENT, Result.Source.SEALED_MOVE, Result.Source.RULING, Result.Source.APPEAL,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One ply of both sheets side by side. `alike`: the same move, however written."""

    ply: int
    number: int
    side: rules.Side
    white: str
    black: str
    alike: bool
    white_legal: bool
    black_legal: bool
    white_fault: bool = False  # the first move that is not legal
    black_fault: bool = False
    first_difference: bool = False


@dataclass(frozen=True, kw_only=True)
class Met:
    """Both copies of a game as far as they are in."""

    seat: Seat
    game: Game | None
    copies: dict[str, Copy]
    sheets: dict[str, Scoresheet]
    lines: dict[str, Line]
    decision: Decision
    gaps: tuple[Gap, ...] = ()
    results: list[Result] = field(default_factory=list)

    @property
    def pairing(self) -> Pairing:
        return self.seat.pairing

    @property
    def is_early_draw(self) -> bool:
        """A draw that can only have been agreed before both players made forty moves (article 12.4)."""
        if self.decision.ruled or (self.game is not None and self.game.accept_note):
            return False  # somebody said why
        if Doubt.EARLY_DRAW in self.decision.doubts:
            return True
        if self.seat.outcome != "DRAW":
            return False
        if self.game is not None and self.game.is_accepted:
            return adjudication.is_early_draw(line_of(reading.score_value(self.game)).verdict)
        longest = max(self.lines.values(), key=lambda line: line.last, default=None)
        return longest is not None and adjudication.is_early_draw(longest.verdict)

    @property
    def rows(self) -> list[Pair]:
        return align(self.lines.get(Side.WHITE), self.lines.get(Side.BLACK))


def align(white: Line | None, black: Line | None) -> list[Pair]:
    """Both lists of moves side by side, as the law pairs them; a move that one copy lacks stands against a gap."""
    known = white or black
    if known is None:
        return []
    empty = rules.Sheet(moves=())
    compared = rules.reconcile(white.sheet if white else empty, black.sheet if black else empty)
    both = white is not None and black is not None
    first = next((row for row in compared.rows if not row.same), None) if both else None
    return [_pair(row, white, black, known.sheet.start, is_first=row is first) for row in compared.rows]


def _pair(
    row: rules.Row, white: Line | None, black: Line | None, start: rules.Position, *, is_first: bool
) -> Pair:
    ply = row.white_ply or row.black_ply
    return Pair(
        ply=ply,
        number=move_number(start, ply),
        side=start.side if ply % 2 else start.side.opponent,
        white=row.white,
        black=row.black,
        alike=row.same,
        white_legal=white is not None and 0 < row.white_ply <= white.last,
        black_legal=black is not None and 0 < row.black_ply <= black.last,
        white_fault=_is_fault(white, row.white_ply),
        black_fault=_is_fault(black, row.black_ply),
        first_difference=is_first,
    )


def _is_fault(line: Line | None, ply: int) -> bool:
    return line is not None and line.verdict.problem is not None and line.verdict.problem.ply == ply


def met(seat: Seat) -> Met:
    """One game whole, with what is missing for a final result."""
    game = (
        Game.objects.filter(pairing=seat.pairing, number=seat.number)
        .prefetch_related("copies", "sheets__filed_by", "results__made_by", "draw_offers")
        .order_by("attempt")
        .last()
    )
    if game is not None:
        game.pairing = seat.pairing
    found = _met(seat, game)
    if game is None:
        return found
    return Met(
        seat=seat,
        game=game,
        copies=found.copies,
        sheets=found.sheets,
        lines=found.lines,
        decision=found.decision,
        gaps=missing_to_finalise(game, outcome=seat.outcome),
        results=list(game.results.all()),
    )


def of_round(round_: Round) -> list[Met]:
    """Every game of a round: of a match those that are due, and any other with a sheet. Few queries, however many boards."""
    pairings = (
        with_games(round_.pairings.filter(black__isnull=False), round_.section)
        .prefetch_related("games__copies", "games__sheets", "games__results")
        .order_by("board")
    )
    found = []
    for pairing in pairings:
        pairing.round = round_
        rows = [_met(seat, game_at(seat)) for seat in seats_of(pairing)]
        found += [row for row in rows if row.seat.is_due or row.sheets]
    return found


def _met(seat: Seat, game: Game | None) -> Met:
    sheets: dict[str, Scoresheet] = {}
    for sheet in game.sheets.all() if game is not None else ():
        sheets[sheet.side] = sheet
    lines = {side: line_of(reading.sheet_value(sheet)) for side, sheet in sheets.items()}
    rulings = [
        Ruling(outcome=row.outcome, reason=row.reason)
        for row in (game.results.all() if game else ())
        if row.source in ABOVE_SHEETS
    ]
    return Met(
        seat=seat,
        game=game,
        copies={copy.side: copy for copy in game.copies.all()} if game else {},
        sheets=sheets,
        lines=lines,
        decision=adjudication.decide(
            {rules.Side(side): line.sheet for side, line in lines.items()},
            {rules.Side(side): line.verdict for side, line in lines.items()},
            rulings,
        ),
    )


def needs_work(found: Met) -> bool:
    """A board on which sheets are missing, differ or are faulty, or whose score waits to be accepted."""
    accepted = found.game is not None and found.game.is_accepted
    return not accepted and found.decision.meeting is not Meeting.NONE


def differs(decision: Decision) -> bool:
    """Whether an arbiter has to look: the copies differ, one is not sound or not read whole, or what is declared does not
    fit."""
    apart = (Meeting.DIFFER, Meeting.FAULTY, Meeting.UNREAD, Meeting.DECLARED)
    return decision.meeting in apart or bool(adjudication.DIFFERENCES & set(decision.doubts))


def is_missing(found: Met) -> bool:
    settled = {side for side, copy in found.copies.items() if copy.is_settled}
    return bool(set(Side.values) - settled)


def chosen(rows: Sequence[Met], show: str) -> list[Met]:
    """The boards of a filter: `missing`, `differ`, `open` or `early`; all of them for anything else."""
    tests: dict[str, Callable[[Met], bool]] = {
        "missing": is_missing,
        "differ": lambda row: differs(row.decision),
        "open": needs_work,
        "early": lambda row: row.is_early_draw,
    }
    test = tests.get(show)
    return [row for row in rows if test is None or test(row)]
