"""Results: one board or a whole form, corrections with a reason, points adjusted by a ruling, the end of a section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs, snapshot
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import BYES, Outcome
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.formats import match_outcome
from tournaments.gate import lock_section
from tournaments.models import (
    OUTCOME_LABELS,
    PUBLIC_STATES,
    Adjustment,
    Entry,
    Event,
    Job,
    MatchGame,
    Pairing,
    Round,
    Section,
    Standings,
    last_public,
)
from tournaments.permissions import Action, require
from tournaments.selectors.open_cases import open_cases
from tournaments.selectors.standing_tables import compute_table
from tournaments.services import bracket_repair
from tournaments.services.standings import store

MOST_POINTS = 999  # of one adjustment: more is a slip of the keyboard


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One board of a results form: what to enter, and the version of the board the writer saw."""

    pairing: int
    outcome: str
    version: int
    grade: str = ""


class StaleResult(Conflict):
    """Somebody entered another result meanwhile. `values["boards"]` tells each board and its present outcome."""

    code = "stale-result"


class AgainstGames(WrongState):
    """The result of a match does not follow from its games."""

    code = "against-games"


def record_outcome(
    actor: Actor, pairing_id: int, *, outcome: str, version: int, reason: str = "", grade: str = ""
) -> Pairing:
    """Enter or correct the result of one board.

    `version` is the board's version as the writer saw it; a newer one raises StaleResult. A correction in a closed
    round needs a reason. The same result again changes nothing. Taking a result back is an entry of UNPLAYED.
    """
    section_id = Pairing.objects.filter(pk=pairing_id).values_list("round__section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    line = Line(pairing=pairing_id, outcome=outcome, version=version, grade=grade)
    return record_outcomes(actor, section_id, [line], reason=reason)[0]


def record_outcomes(
    actor: Actor, section_id: int, lines: Sequence[Line], *, reason: str = ""
) -> list[Pairing]:
    """Enter a form of results: all of them, or none with every fault told."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.ENTER_RESULTS, section.event)
        if section.state == Section.State.CLOSED:
            raise WrongState(_("The section is closed."))
        pairings = {
            p.pk: p
            for p in Pairing.objects.filter(
                pk__in=[line.pairing for line in lines], round__section=section
            ).select_related("round", "white__player", "black__player")
        }
        if len(pairings) != len({line.pairing for line in lines}):
            raise NotFound
        changes = [line for line in lines if _differs(pairings[line.pairing], line)]
        _refuse_stale([line for line in changes if pairings[line.pairing].version != line.version], pairings)
        for line in changes:
            _check(section, pairings[line.pairing], line, reason)
        if not actor.authority:  # a ruling stands whatever the games say
            _check_games(section, pairings, changes, reason)
        entered = [line.pairing for line in changes if line.outcome != Outcome.UNPLAYED]
        bracket_repair.refuse_boards(section, entered)
        if changes:
            _write(actor, section, pairings, changes, reason)
            first = min(pairings[line.pairing].round.number for line in changes)
            jobs.bump(section, public=True)
            jobs.enqueue(section, Job.Kind.STANDINGS, round_number=first)
    return [pairings[line.pairing] for line in lines]


def adjust_score(actor: Actor, entry_id: int, *, points: int, after_round: int, reason: str) -> Adjustment:
    """Give (or with a minus take) points by a ruling. Shown as a line of its own."""
    if not points or abs(points) > MOST_POINTS:
        raise BadInput(fields={"points": [_("Enter the points to give or to take.")]})
    if not reason.strip():
        raise BadInput(fields={"reason": [_("An adjustment needs a reason.")]})
    entry = Entry.objects.filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(entry.section_id)
        require(actor, Action.ADJUST_SCORES, section.event)
        if section.state == Section.State.CLOSED:
            raise WrongState(_("The section is closed."))
        if not 0 <= after_round <= section.rounds_total:
            raise BadInput(fields={"after_round": [_("There is no such round.")]})
        row = Adjustment.objects.create(
            section=section, entry=entry, points=points, after_round=after_round, reason=reason
        )
        audit.record(
            actor=actor, action=AuditAction.ADJUST_SCORE, section=section, subject=row,
            after={"entry": entry.pk, "points": points, "after_round": after_round}, reason=reason,
        )  # fmt: skip
        jobs.bump(section, public=True)
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=max(after_round, 1))
    return row


def close_section(actor: Actor, section_id: int, *, reason: str = "") -> Standings:
    """Final standings. Refused while a result or a round is missing, or a draft waits; with appeals open, without a reason."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.CLOSE_EVENT, section.event)
        _check_complete(section)
        waiting = open_cases(section)
        if waiting and not reason.strip():
            raise WrongState(
                _("Appeals are open: %(cases)s Give a reason to close the section before they are decided."),
                code="appeals-open",
                cases=" ".join(waiting),
            )
        section.rounds.filter(state=Round.State.PUBLISHED).update(state=Round.State.CLOSED)
        section.state = Section.State.CLOSED
        section.save(update_fields=["state"])
        jobs.bump(section, public=True)
        snap = snapshot.load(section, public_only=True)
        table = compute_table(section, snap, after_round=last_public(section), final=True)
        store(table)
        audit.record(
            actor=actor, action=AuditAction.CLOSE_SECTION, section=section, subject=section,
            after={"appeals": waiting} if waiting else None, reason=reason.strip(),
        )  # fmt: skip
    return table


def reopen_section(actor: Actor, section_id: int, *, reason: str) -> Section:
    """Back from closed to running, to correct something. The final table is computed again at closing."""
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Reopening needs a reason.")]})
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.CLOSE_EVENT, section.event)
        if section.state != Section.State.CLOSED:
            raise WrongState(_("The section is not closed."))
        section.state = Section.State.RUNNING
        section.save(update_fields=["state"])
        if section.event.state == Event.State.CLOSED:
            Event.objects.filter(pk=section.event_id).update(state=Event.State.OPEN, closed_at=None)
        jobs.bump(section, public=True)
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=last_public(section))
        audit.record(
            actor=actor, action=AuditAction.REOPEN_SECTION, section=section, subject=section, reason=reason
        )
    return section


def _differs(pairing: Pairing, line: Line) -> bool:
    return (pairing.outcome, pairing.grade) != (line.outcome, line.grade)


def _refuse_stale(stale: list[Line], pairings: dict[int, Pairing]) -> None:
    if not stale:
        return
    boards = [
        {
            "pairing": line.pairing,
            "board": pairings[line.pairing].board,
            "outcome": pairings[line.pairing].outcome,
            "grade": pairings[line.pairing].grade,
            "version": pairings[line.pairing].version,
            "yours": line.outcome,
        }
        for line in stale
    ]
    raise StaleResult(
        _(
            "Another result was entered meanwhile on board %(numbers)s. Nothing was saved: look, and enter it again."
        ),
        boards=boards,
        numbers=", ".join(str(board["board"]) for board in boards),
    )


def _check(section: Section, pairing: Pairing, line: Line, reason: str) -> None:
    if pairing.round.state not in PUBLIC_STATES:
        raise WrongState(_("Round %(round)s is not published yet."), round=pairing.round.number)
    if line.outcome not in {outcome.value for outcome in Outcome}:
        raise BadInput(fields={"outcome": [_("There is no such result.")]})
    if (Outcome(line.outcome) in BYES) != (pairing.black_id is None):
        raise BadInput(fields={"outcome": [_("This result does not fit the board.")]})
    grade = section.result_scheme.grades.get(line.grade) if line.grade else None
    if line.grade and (grade is None or grade.outcome != line.outcome):
        raise BadInput(fields={"grade": [_("This result is not one of the section's result scheme.")]})
    if (
        line.outcome == Outcome.DRAW
        and (rule := formats.match_rule(section)) is not None
        and rule.drawn is None
    ):
        raise BadInput(
            fields={"outcome": [_("A match of this section is played on until somebody wins it.")]}
        )
    if pairing.round.state == Round.State.CLOSED and not reason.strip():
        raise BadInput(
            _("Round %(round)s is closed, the next one is paired: give a reason for the correction."),
            code="reason-needed",
            round=pairing.round.number,
        )


def _check_games(
    section: Section, pairings: dict[int, Pairing], changes: Sequence[Line], reason: str
) -> None:
    """A match has the result of its games. Forfeits and the like may differ, with a reason once a game has a result."""
    if not formats.of(section).enters_teams and formats.match_rule(section) is None:
        return
    games: dict[int, list[MatchGame]] = {}
    for row in MatchGame.objects.filter(pairing__in=pairings).order_by("number"):
        games.setdefault(row.pairing_id, []).append(row)
    for line in changes:
        rows = games.get(line.pairing, [])
        if not match_outcome.differs(section, line.outcome, line.grade, rows):
            continue
        is_beside = line.outcome in match_outcome.BESIDE_THE_GAMES
        begun = any(row.outcome != Outcome.UNPLAYED for row in rows)
        if not is_beside or (begun and not reason.strip()):
            raise AgainstGames(
                _(
                    "Board %(board)s: by its games the result is “%(result)s”. Change the games on the page of the match; a "
                    "forfeit or a loss for both needs a reason, anything else a ruling."
                ),
                board=pairings[line.pairing].board,
                result=OUTCOME_LABELS[Outcome(match_outcome.of_games(section, rows)[0])],
            )


def _write(
    actor: Actor, section: Section, pairings: dict[int, Pairing], changes: Sequence[Line], reason: str
) -> None:
    """The results and their rows of the log: a statement for each kind of result, whatever their number."""
    logged, boards_by_result = [], dict[tuple[str, str], list[int]]()
    for line in changes:
        pairing = pairings[line.pairing]
        before = {"outcome": pairing.outcome, "grade": pairing.grade}
        pairing.outcome = line.outcome
        pairing.grade = line.grade
        pairing.advances = ""  # who goes on is asked again
        pairing.version += 1
        boards_by_result.setdefault((line.outcome, line.grade), []).append(pairing.pk)
        logged.append(
            audit.entry(
                actor=actor, action=AuditAction.RECORD_OUTCOME, section=section, subject=pairing, before=before,
                after={"outcome": line.outcome, "grade": line.grade, "round": pairing.round.number, "board": pairing.board},
                reason=reason,
            )
        )  # fmt: skip
    for (outcome, grade), boards in boards_by_result.items():
        Pairing.objects.filter(pk__in=boards).update(
            outcome=outcome, grade=grade, advances="", version=F("version") + 1
        )
    audit.record_all(logged)


def _check_complete(section: Section) -> None:
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed."))
    if section.rounds.filter(state=Round.State.PAIRED).exists():
        raise WrongState(_("A draft is waiting: publish it or discard it first."), code="draft-exists")
    missing = Pairing.objects.filter(
        round__section=section, round__state__in=PUBLIC_STATES, outcome=Outcome.UNPLAYED
    ).count()
    if missing:
        raise WrongState(_("Results are missing on %(count)s boards."), code="results-missing", count=missing)
    strategy = formats.of(section)
    level = strategy.undecided(section)
    if level:
        raise WrongState(
            _("Say who goes on from board %(boards)s: the match is level."),
            code="ties-undecided",
            boards=", ".join(map(str, level)),
        )
    bracket_repair.refuse_open(section)
    last = last_public(section)
    expected = strategy.rounds_to_play(
        section, drafted=section.rounds.exclude(state=Round.State.OPEN).count()
    )
    if not last or last < expected:
        raise WrongState(
            _("Only %(played)s of %(total)s rounds are played. Set the number of rounds to close earlier."),
            code="rounds-missing",
            played=last,
            total=expected,
        )
