"""What a scoresheet proves.

`validate` answers with values only: the legal prefix with its positions, the first problem, remarks on the writing,
the plies from which a draw could be claimed, what the final position proves, and where the declarations on the sheet
do not fit the moves. Wrongness of a sheet never raises; no words, no language here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from rules.articles import (
    ARTICLES,
    DISAGREEMENT_ARTICLES,
    REMARK_ARTICLES,
    DisagreementKind,
    Kind,
    RemarkKind,
)
from rules.board import BIT, SQUARE, Position, Side
from rules.declarations import disagreements
from rules.diagnosis import Diagnosis, diagnose
from rules.draws import Counters, DrawRight, Profile, counters, draw_rights
from rules.moves import Move, RawMove, has_legal_move, legal_moves, play_raw, positions_before
from rules.notation import has_twin, parse, paths, telling_path
from rules.replay import Irregular, Replay, Stop, replay
from rules.sheet import Sheet, Unread, canonical_result


class Status(StrEnum):
    LEGAL = "legal"
    UNREAD = "unread"
    """The moves that were read are legal, but not all of the text was read."""
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    NO_MOVES = "no-moves"
    OTHER_VARIANT = "other-variant"


class Final(StrEnum):
    """What the last legal position proves: a side without a move has lost (articles 12.2.2 and 12.2.3)."""

    WHITE_WINS = "white-wins"
    BLACK_WINS = "black-wins"
    OPEN = "open"


class CaptureChoice(NamedTuple):
    """One capture that would have been legal: its squares in order and the squares of the pieces it takes."""

    path: tuple[int, ...]
    takes: tuple[int, ...]


FINAL_RESULTS = {Final.WHITE_WINS: "2-0", Final.BLACK_WINS: "0-2", Final.OPEN: None}
"""The result a final position proves, in points."""

CHOICES_SHOWN = 40
"""A position may have more captures than anybody wants to read; a problem lists this many with their roads."""


@lru_cache(maxsize=256)
def _legal_texts(position: Position) -> tuple[tuple[str, ...], int]:
    """(the legal moves in the short form, how many pieces must be taken)."""
    moves = legal_moves(position)
    return tuple(map(str, moves)), moves[0].captured_count if moves else 0


@lru_cache(maxsize=256)
def capture_choices(position: Position) -> tuple[CaptureChoice, ...]:
    """The first `CHOICES_SHOWN` captures with their roads, each road one that only this capture can take."""
    moves = legal_moves(position)
    found = []
    for move in moves[:CHOICES_SHOWN]:
        twin = has_twin(move, moves)
        path = telling_path(position, move) if twin else paths(position, move, limit=1)[0]
        found.append(CaptureChoice(path=path, takes=move.captured_squares))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A written move that is not legal. `ply` counts single moves from 1; 0 means the start position itself.

    `legal_moves` are all legal moves in the short form, `captures_due` how many pieces must be taken (0 when nothing can)
    and `captures_made` how many the written move would take.
    """

    ply: int
    move_number: int
    side: Side
    kind: Kind
    articles: tuple[str, ...]
    written: str
    before: Position
    legal_moves: tuple[str, ...]
    captures_due: int
    captures_made: int

    @property
    def fen_before(self) -> str:
        return self.before.fen()

    @property
    def captures(self) -> tuple[CaptureChoice, ...]:
        """The roads of the captures that were legal, the first `CHOICES_SHOWN` of them; none after a bad set-up."""
        return capture_choices(self.before) if self.captures_due else ()


class Remark(NamedTuple):
    """Something to tell about a ply that does not make it illegal."""

    ply: int
    kind: RemarkKind
    articles: tuple[str, ...]


class Disagreement(NamedTuple):
    """A declaration that does not fit; `ply` where it belongs to one, else the number of plies of the game."""

    ply: int
    kind: DisagreementKind
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verdict:
    """What a sheet proves: `raws` are the moves that stand. `positions` are worked out when they are first
    asked for: `later_positions` are the last of them, those from the first one that took a closer look.

    `irregularities` stand by leave of the opponent (7.7) and do not make the sheet illegal. `unsettled` are the plies
    whose capture the sheet leaves open; the positions from there on are one reading of `readings`. `result` is the
    declared result in points (`2-0`), `None` when there is none. `variant` names the game when it is another one. `unread`
    is text of the sheet that was not understood: with any, the status is never `legal`.
    """

    status: Status
    start: Position
    raws: tuple[RawMove | None, ...]
    later_positions: tuple[Position, ...]
    problem: Problem | None = None
    irregularities: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
    draws: tuple[DrawRight, ...] = ()
    final: Final = Final.OPEN
    result: str | None = None
    disagreements: tuple[Disagreement, ...] = ()
    unsettled: tuple[int, ...] = ()
    readings: int = 1
    variant: str | None = None
    profile: Profile = Profile.CN
    unread: tuple[Unread, ...] = ()
    known_positions: tuple[Position, ...] | None = field(default=None, compare=False)
    """`positions` once they are worked out."""

    def __repr__(self) -> str:
        return f"<Verdict {self.status} plies={self.plies} problem={self.problem} final={self.final}>"

    @property
    def positions(self) -> tuple[Position, ...]:
        """`positions[n]` stands after n plies."""
        if self.known_positions is None:
            early = _skipped_positions(self.start, self.raws[: self.plies + 1 - len(self.later_positions)])
            object.__setattr__(self, "known_positions", (*early, *self.later_positions))
        assert self.known_positions is not None
        return self.known_positions

    @property
    def final_position(self) -> Position:
        return self.later_positions[-1]

    @property
    def plies(self) -> int:
        """The number of plies that stand."""
        return len(self.raws)

    @property
    def moves(self) -> tuple[Move | None, ...]:
        """The move of each ply; `None` where only a set-up tells what happened."""
        return tuple(
            None if raw is None else Move(SQUARE[raw[0]], SQUARE[raw[1]], raw[2]) for raw in self.raws
        )

    def follows(self, ply: int) -> bool:
        """Whether the position after a ply is what its move leads to, and not one set up by hand."""
        raw = self.raws[ply - 1]
        return raw is not None and play_raw(self.positions[ply - 1], raw) == self.positions[ply]

    @property
    def counters(self) -> tuple[Counters, ...]:
        """The draw counters after each ply, the start position first."""
        return counters(self.positions, profile=self.profile)


def _skipped_positions(start: Position, raws: Sequence[RawMove | None]) -> list[Position]:
    """The positions before plain moves; those are never `None`."""
    return positions_before(start, [raw for raw in raws if raw is not None])


def validate(sheet: Sheet, *, profile: Profile = Profile.CN) -> Verdict:
    """Judge a sheet by its moves (articles 5, 6, 7.4, 7.7, 10, 12).

    Never raises for what the sheet says, and the work is bounded whatever it says.
    """
    if sheet.variant is not None:
        return Verdict(
            status=Status.OTHER_VARIANT,
            start=sheet.start,
            raws=(),
            later_positions=(sheet.start,),
            variant=sheet.variant,
            result=canonical_result(sheet.result),
            profile=profile,
        )
    faulty = min(sheet.bad_setups, default=None)
    played = replay(
        sheet.moves if faulty is None else sheet.moves[: faulty[0]],
        sheet.start,
        setups=dict(sheet.setups) if sheet.setups else None,
        leave=(lambda stop: _leave(sheet, stop)) if sheet.accepted else None,
    )
    problem = None
    if played.stop is not None:
        problem = _problem(sheet, played.stop)
    elif faulty is not None:
        problem = _bad_setup(faulty, played.positions[-1])
    return _verdict(sheet, profile, played, problem)


def _verdict(sheet: Sheet, profile: Profile, played: Replay, problem: Problem | None) -> Verdict:
    last = played.positions[-1]
    positions = played.positions
    draws: tuple[DrawRight, ...] = ()
    if played.drawish:
        positions = [*_skipped_positions(sheet.start, played.raws[: played.head]), *positions]
        settled = positions[: played.unsettled[0]] if played.unsettled else positions
        draws = draw_rights(settled, profile=profile)
    final = _final(last) if not played.unsettled else Final.OPEN
    plies = len(played.raws)
    found = disagreements(sheet, plies=plies, proved=FINAL_RESULTS[final], final=last, draws=draws)
    return Verdict(
        status=_status(sheet, played, problem),
        start=sheet.start,
        raws=tuple(played.raws),
        later_positions=tuple(positions),
        problem=problem,
        irregularities=tuple([_problem(sheet, stop) for stop in played.irregular]),
        remarks=_remarks(sheet, played) if played.uncommon or played.set_up or sheet.layouts else (),
        draws=draws,
        final=final,
        result=canonical_result(sheet.result) or canonical_result(sheet.text_result),
        disagreements=tuple([Disagreement(ply, kind, DISAGREEMENT_ARTICLES[kind]) for ply, kind in found]),
        unsettled=played.unsettled,
        readings=played.readings,
        profile=profile,
        unread=sheet.unread,
    )


def _status(sheet: Sheet, played: Replay, problem: Problem | None) -> Status:
    if problem is not None:
        return Status.AMBIGUOUS if problem.kind is Kind.TOO_AMBIGUOUS else Status.ILLEGAL
    if not sheet.moves:
        return Status.NO_MOVES
    if sheet.unread:
        return Status.UNREAD
    return Status.AMBIGUOUS if played.unsettled else Status.LEGAL


def _final(position: Position) -> Final:
    if has_legal_move(position):
        return Final.OPEN
    return Final.BLACK_WINS if position.white_to_move else Final.WHITE_WINS


def _leave(sheet: Sheet, stop: Stop) -> Irregular | None:
    """How an irregular move is played if the opponent let it stand."""
    if stop.ply not in sheet.accepted or stop.too_many:
        return None
    diagnosis = _diagnosis(sheet, stop)
    if diagnosis.played_as is None:
        return None
    return Irregular(diagnosis.played_as, same_side=diagnosis.kind is Kind.TWO_IN_A_ROW)


def _diagnosis(sheet: Sheet, stop: Stop) -> Diagnosis:
    following = sheet.moves[stop.ply] if stop.ply < len(sheet.moves) else None
    return diagnose(stop.before, sheet.moves[stop.ply - 1], previous=stop.previous, following=following)


def _problem(sheet: Sheet, stop: Stop) -> Problem:
    diagnosis = Diagnosis(Kind.TOO_AMBIGUOUS) if stop.too_many else _diagnosis(sheet, stop)
    moves, due = _legal_texts(stop.before)
    return Problem(
        ply=stop.ply,
        move_number=move_number(sheet.start, stop.ply),
        side=stop.before.side,
        kind=diagnosis.kind,
        articles=ARTICLES[diagnosis.kind],
        written=sheet.moves[stop.ply - 1],
        before=stop.before,
        legal_moves=moves,
        captures_due=due,
        captures_made=diagnosis.captures_made,
    )


def _bad_setup(faulty: tuple[int, str], before: Position) -> Problem:
    ply, text = faulty
    kind = Kind.BAD_SETUP if ply else Kind.BAD_START
    return Problem(
        ply=ply,
        move_number=move_number(before, ply) if ply else 0,
        side=before.side,
        kind=kind,
        articles=ARTICLES[kind],
        written=text,
        before=before,
        legal_moves=(),
        captures_due=0,
        captures_made=0,
    )


def move_number(start: Position, ply: int) -> int:
    """The number of the full move a ply belongs to; a game that Black begins has no White half of move 1."""
    return (ply + 1) // 2 if start.white_to_move else ply // 2 + 1


def _remarks(sheet: Sheet, played: Replay) -> tuple[Remark, ...]:
    found: list[tuple[int, RemarkKind]] = [(ply, RemarkKind.AMBIGUOUS) for ply in played.ambiguous]
    found += [(stop.ply, RemarkKind.ACCEPTED) for stop in played.irregular]
    found += [(0, RemarkKind(layout.value)) for layout in sheet.layouts]
    irregular = {stop.ply for stop in played.irregular}
    for ply in played.uncommon:
        if ply > len(played.raws) or ply in irregular:
            continue
        written, raw = parse(sheet.moves[ply - 1]), played.raws[ply - 1]
        if raw is not None and written.separator and written.capture != bool(raw[2]):
            found.append((ply, RemarkKind.WRONG_SEPARATOR))
        if written.ad_libitum:
            found.append((ply, RemarkKind.AD_LIBITUM))
        if written.lookalike:
            found.append((ply, RemarkKind.LETTER_FOR_DIGIT))
        if raw is not None and BIT[written.path[-1]] != raw[1]:
            found.append((ply, RemarkKind.CAPTURED_NAMED))
    for ply, until_then in played.set_up:
        found += [(ply, kind) for kind in _set_up_kinds(played, ply, until_then)]
    if played.stop is not None and _looks_like_result(sheet, played.stop):
        found.append((played.stop.ply, RemarkKind.LOOKS_LIKE_RESULT))
    return tuple(Remark(ply, kind, REMARK_ARTICLES[kind]) for ply, kind in sorted(found))


def _looks_like_result(sheet: Sheet, stop: Stop) -> bool:
    """The last thing written repeats the declared result, in points no rule here knows (`4-6`)."""
    return stop.ply == len(sheet.moves) and sheet.moves[-1] == sheet.result


def _set_up_kinds(played: Replay, ply: int, expected: Position) -> list[RemarkKind]:
    """What a position set up after a move shows of articles 7.4.11, 7.4.12 and 7.4.14."""
    shown = played.positions[ply - played.head]
    raw = played.raws[ply - 1] if ply else None
    kinds = []
    if raw is not None and raw[2]:
        mover_white = not expected.white_to_move
        own, opponent = (0, 2) if mover_white else (2, 0)
        if raw[2] & (shown[opponent] | shown[opponent + 1]):
            kinds.append(RemarkKind.CAPTURED_LEFT)
        if (expected[opponent] | expected[opponent + 1]) & ~shown.occupied:
            kinds.append(RemarkKind.UNCAPTURED_REMOVED)
        if (expected[own] | expected[own + 1]) & ~shown.occupied:
            kinds.append(RemarkKind.OWN_REMOVED)
    return kinds or [RemarkKind.POSITION_SET]
