"""The results grid: the boards of a round with what can be entered on them, and the last changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments import formats, holds
from tournaments.audit import AuditAction
from tournaments.engine import scoring
from tournaments.engine.types import Board, Outcome
from tournaments.formats.brackets import winner_of
from tournaments.models import OUTCOME_LABELS, AuditEntry, Pairing, Round, Section
from tournaments.selectors import public

LAST_CHANGES = 10
_MAIN = (Outcome.WHITE, Outcome.DRAW, Outcome.BLACK)
_MORE = (
    Outcome.WHITE_FORFEITS,
    Outcome.BLACK_FORFEITS,
    Outcome.BOTH_FORFEIT,
    Outcome.BOTH_LOSE,
    Outcome.VOID,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One result that a board can get. `value` is the outcome code, with the grade behind a colon where it has one."""

    value: str
    label: Any
    score: str = ""
    key: str = ""  # what to press for it

    @property
    def outcome(self) -> str:
        return self.value.partition(":")[0]

    @property
    def grade(self) -> str:
        return self.value.partition(":")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A board as the form shows it. `chosen` is what was typed, else what is saved; `was` is what is saved."""

    pairing: Pairing
    white_before: int
    black_before: int
    main: tuple[Choice, ...]
    more: tuple[Choice, ...]
    was: str
    chosen: str
    has_match: bool = False  # several games, or somebody to be named who goes on
    is_level: bool = False  # a knock-out match with a result and nobody who goes on
    mark: str = ""  # saved, confirm, stale or failed
    note: str = ""
    lock: str = ""  # why the result stays as it is

    @property
    def has_result(self) -> bool:
        return bool(self.was)

    @property
    def shows_more(self) -> bool:
        return any(choice.value == self.chosen for choice in self.more)

    def marked(self, *, mark: str, note: str = "", chosen: str | None = None) -> ResultRow:
        return replace(self, mark=mark, note=note, chosen=self.chosen if chosen is None else chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of a result, as the log has it."""

    entry: AuditEntry
    at: dt.datetime
    by: str
    pairing: Pairing
    before: Any
    after: Any
    reason: str
    can_undo: bool


def value_of(outcome: str, grade: str = "") -> str:
    """The value a form sends for a result; "" for none."""
    if outcome == Outcome.UNPLAYED:
        return ""
    return f"{outcome}:{grade}" if grade else outcome


def label_of(value: str) -> Any:
    """A result in words; a grade by its two numbers."""
    outcome, _colon, grade = value.partition(":")
    known = {code.value: text for code, text in OUTCOME_LABELS.items()}
    return grade or known.get(outcome or Outcome.UNPLAYED.value, outcome)


def choices(section: Section) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """(the results of play, the rarer ones) that the section's scheme allows."""
    scheme = section.result_scheme

    def choice(outcome: Outcome, *, key: str, grade: str = "") -> Choice:
        board = Board(number=1, white=1, black=2, outcome=outcome, grade=grade)
        white, black = scoring.board_points(board, scheme)
        value = value_of(outcome, grade)
        return Choice(value=value, label=label_of(value), score=f"{white}-{black}", key=key)

    main = [choice(outcome, key=str(n)) for n, outcome in enumerate(_MAIN, start=1)]
    main += [choice(grade.outcome, key="", grade=code) for code, grade in scheme.grades.items()]
    more = [choice(outcome, key=str(n)) for n, outcome in enumerate(_MORE, start=4)]
    return tuple(main), tuple(more)


def rows(round_: Round, *, pairing_id: int | None = None) -> list[ResultRow]:
    """The boards of a round in order, byes left out; or the one asked for. Six queries."""
    section = round_.section
    main, more = choices(section)
    before = public.ledger(section).points_before(round_.number)
    pairings = (
        round_.pairings.filter(black__isnull=False)
        .select_related("white__player", "black__player")
        .order_by("board", "pk")
    )
    if pairing_id is not None:
        pairings = pairings.filter(pk=pairing_id)
    locked = holds.locks(section, round_.number)
    found = []
    for pairing in pairings:
        value = value_of(pairing.outcome, pairing.grade)
        found.append(
            ResultRow(
                pairing=pairing,
                white_before=before.get(pairing.white_id, 0),
                black_before=before.get(pairing.black_id or 0, 0),
                main=main,
                more=more,
                was=value,
                chosen=value,
                has_match=formats.of(section).has_matches(section),
                is_level=formats.of(section).has_bracket and _is_level(pairing),
                lock=locked[pairing.pk].message if pairing.pk in locked else "",
            )
        )
    return found


def _is_level(pairing: Pairing) -> bool:
    winner = winner_of(pairing.outcome, pairing.advances, pairing.white_id, pairing.black_id)
    return pairing.outcome != Outcome.UNPLAYED and winner is None


def row(pairing_id: int, round_: Round) -> ResultRow | None:
    return next(iter(rows(round_, pairing_id=pairing_id)), None)


def byes(round_: Round) -> list[Pairing]:
    return list(
        round_.pairings.filter(black__isnull=True).select_related("white__player").order_by("white__number")
    )


def changes(round_: Round, *, limit: int = LAST_CHANGES) -> list[Change]:
    """The last entries of results in a round, the newest first. Only a board's newest one can be undone."""
    pairings = {
        p.pk: p for p in round_.pairings.select_related("white__player", "black__player", "round__section")
    }
    entries = AuditEntry.objects.filter(
        action=AuditAction.RECORD_OUTCOME, object_type="pairing", object_id__in=list(pairings)
    ).order_by("-pk")
    found: list[Change] = []
    seen: set[int] = set()
    for entry in entries[: limit * 4]:
        pairing = pairings[entry.object_id or 0]
        found.append(_change(entry, pairing, is_newest=pairing.pk not in seen))
        seen.add(pairing.pk)
    return found[:limit]


def _change(entry: AuditEntry, pairing: Pairing, *, is_newest: bool) -> Change:
    before, after = _logged(entry.before), _logged(entry.after)
    return Change(
        entry=entry,
        at=entry.at,
        by=entry.actor_name,
        pairing=pairing,
        before=label_of(before),
        after=label_of(after),
        reason=entry.reason,
        can_undo=is_newest and value_of(pairing.outcome, pairing.grade) == after,
    )


def _logged(state: Mapping[str, Any] | None) -> str:
    state = state or {}
    return value_of(str(state.get("outcome") or Outcome.UNPLAYED), str(state.get("grade") or ""))


def change_for(pairing: Pairing, audit_id: int) -> AuditEntry | None:
    return AuditEntry.objects.filter(
        pk=audit_id, action=AuditAction.RECORD_OUTCOME, object_type="pairing", object_id=pairing.pk
    ).first()


def value_before(entry: AuditEntry) -> Choice:
    """The result that an entry of the log replaced."""
    return Choice(value=_logged(entry.before) or Outcome.UNPLAYED.value, label="")
