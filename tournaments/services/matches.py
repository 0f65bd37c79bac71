"""Pairings of several games: boards of a team match, games of a micro-match, and who goes on from a knock-out tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.engine import micromatch, teams
from tournaments.engine.micromatch import MatchState
from tournaments.engine.types import BYES, Colour, EngineError, Outcome
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.formats import match_outcome
from tournaments.gate import lock_section
from tournaments.models import PUBLIC_STATES, Entry, Job, MatchGame, Pairing, Round, Section, TeamMember
from tournaments.permissions import Action, require
from tournaments.services import bracket_repair, results
from tournaments.services.entries import refuse_hidden

MOST_MEMBERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A board of a team match as entered: who sat there (None: nobody), and the result from White's side."""

    first: int | None
    second: int | None
    outcome: str = Outcome.UNPLAYED.value
    grade: str = ""


def set_members(actor: Actor, entry_id: int, members: Sequence[tuple[str, int]]) -> list[TeamMember]:
    """The players of a team in board order, as (name, rating). Whoever has sat at a board already stays."""
    section_id = Entry.objects.filter(pk=entry_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        if not formats.of(section).enters_teams:
            raise WrongState(_("This section has no teams."))
        entry = section.entries.select_related("player").get(pk=entry_id)
        wanted = [(" ".join(name.split()), rating) for name, rating in members]
        _check_members(wanted)
        before = list(entry.members.values_list("name", flat=True))
        kept = _write_members(entry, wanted)
        audit.record(
            actor=actor, action=AuditAction.SET_MEMBERS, section=section, subject=entry,
            before={"names": before}, after={"names": [member.name for member in kept]},
        )  # fmt: skip
        jobs.bump(section, public=True)
    return kept


def _check_members(wanted: Sequence[tuple[str, int]]) -> None:
    names = [name for name, _rating in wanted]
    if not all(names) or any(len(name) > 120 for name in names):
        raise BadInput(fields={"members": [_("Every player needs a name of at most 120 signs.")]})
    refuse_hidden(*names)
    if len(set(names)) != len(names):
        raise BadInput(fields={"members": [_("A player stands twice in the list.")]})
    if len(names) > MOST_MEMBERS or any(not 0 <= rating <= 4000 for _name, rating in wanted):
        raise BadInput(fields={"members": [_("At most 40 players, with ratings from 0 to 4000.")]})


def _write_members(entry: Entry, wanted: Sequence[tuple[str, int]]) -> list[TeamMember]:
    known = {member.name: member for member in entry.members.all()}
    gone = [member for name, member in known.items() if name not in dict(wanted)]
    played = set(MatchGame.objects.filter(first__in=gone).values_list("first__name", flat=True)) | set(
        MatchGame.objects.filter(second__in=gone).values_list("second__name", flat=True)
    )
    if played:
        raise WrongState(
            _("These players sat at a board already and stay: %(names)s."), names=", ".join(sorted(played))
        )
    TeamMember.objects.filter(pk__in=[member.pk for member in gone]).delete()
    found = []
    for position, (name, rating) in enumerate(wanted, start=1):
        member = known.get(name) or TeamMember(entry=entry, name=name)
        member.position, member.rating = position, rating
        member.save()
        found.append(member)
    return found


def record_team_match(
    actor: Actor, pairing_id: int, lines: Sequence[BoardLine], *, version: int, reason: str = ""
) -> Pairing:
    """Line-ups and results of a team match, board by board. The match has its outcome once every board has one.

    Board order is fixed: substitutes come in below, empty boards are the last. Raises BadInput with the board.
    """
    with transaction.atomic():
        section, pairing = _locked(actor, pairing_id, version)
        if not formats.of(section).enters_teams or pairing.black is None:
            raise WrongState(_("This board is no match of teams."))
        if len(lines) != section.team_boards:
            raise BadInput(_("A match has %(count)s boards."), count=section.team_boards)
        _check_lineup(pairing.white, [line.first for line in lines], pairing.round)
        _check_lineup(pairing.black, [line.second for line in lines], pairing.round)
        games = _team_games(section, pairing, lines)
        _replace_games(pairing, games)
        return _settle(actor, section, pairing, games, reason=reason)


def _check_lineup(entry: Entry, lineup: list[int | None], round_: Round) -> None:
    members = list(entry.members.all())
    out = [m for m in members if m.out_from_round is not None and m.out_from_round <= round_.number]
    barred = [str(member) for member in out if member.pk in lineup]
    if barred:
        raise BadInput(
            _("Disqualified, may not sit: %(names)s. A substitute sits in."), names=", ".join(barred)
        )
    team = teams.Team(number=1, members=tuple(member.pk for member in members if member not in out))
    faults = teams.lineup_faults(team, lineup, boards=round_.section.team_boards)
    if not faults:
        return
    words = {
        "unknown-member": _("board %(board)s: this player is not of the team %(team)s"),
        "twice": _("board %(board)s: a player of the team %(team)s sits at two boards"),
        "order": _(
            "board %(board)s: the team %(team)s keeps its order; a substitute sits below those before him"
        ),
        "gap": _("board %(board)s: the team %(team)s leaves its last boards empty, not one between"),
        "too-many": _("board %(board)s: the team %(team)s has too many players"),
    }
    said = [words[fault.code] % {"board": fault.board, "team": entry} for fault in faults]
    raise BadInput("; ".join(said))


def _team_games(section: Section, pairing: Pairing, lines: Sequence[BoardLine]) -> list[MatchGame]:
    seated = teams.seat(
        [line.first for line in lines], [line.second for line in lines], boards=section.team_boards
    )
    grades = section.result_scheme.grades
    found = []
    for line, board in zip(lines, seated, strict=True):
        outcome, grade = board.outcome.value, ""
        if board.outcome is Outcome.UNPLAYED:
            outcome, grade = _checked(line.outcome), line.grade
            if grade and (grade not in grades or grades[grade].outcome != outcome):
                raise BadInput(_("This result is not one of the section's result scheme."))
        found.append(
            MatchGame(
                pairing=pairing,
                number=board.number,
                first_white=board.number % 2 == 1,
                first_id=line.first,
                second_id=line.second,
                outcome=outcome,
                grade=grade,
            )
        )
    return found


def _checked(outcome: str) -> str:
    if outcome not in {o.value for o in Outcome if o not in BYES}:
        raise BadInput(fields={"outcome": [_("There is no such result.")]})
    return outcome


def record_stage_games(
    actor: Actor, pairing_id: int, outcomes: Sequence[str], *, version: int, reason: str = ""
) -> Pairing:
    """The games of a micro-match in the order they were played, each from the side of whoever had White in it.

    The section's match rule says which stage comes next, when the match is over and what it is worth.
    """
    with transaction.atomic():
        section, pairing = _locked(actor, pairing_id, version)
        rule = formats.match_rule(section)
        if rule is None or pairing.black_id is None:
            raise WrongState(_("This section plays one game on a board."))
        bracket_repair.refuse_boards(section, [pairing.pk])
        games = played_games(rule, [_checked(outcome) for outcome in outcomes])
        _state(rule, games)
        rows = [
            MatchGame(
                pairing=pairing, number=number, stage=game.stage, first_white=game.first_white, outcome=game.outcome.value
            )
            for number, game in enumerate(games, start=1)
        ]  # fmt: skip
        _replace_games(pairing, rows)
        return _settle(actor, section, pairing, rows, reason=reason)


def played_games(rule: micromatch.MatchRule, outcomes: Sequence[str]) -> list[micromatch.MatchGame]:
    """The games with the stage and colours that the rule gives each. Raises BadInput for a game after the end."""
    games: list[micromatch.MatchGame] = []
    for number, outcome in enumerate(outcomes, start=1):
        coming = _state(rule, games).next_game
        if coming is None:
            raise BadInput(_("The match was over before game %(number)s."), number=number)
        games.append(
            micromatch.MatchGame(stage=coming.stage, first_white=coming.first_white, outcome=Outcome(outcome))
        )
    return games


def _state(rule: micromatch.MatchRule, games: Sequence[micromatch.MatchGame]) -> MatchState:
    try:
        return micromatch.evaluate(rule, games)
    except EngineError as error:
        raise BadInput(
            _("Game %(number)s has no result that counts."), number=error.values.get("game", "")
        ) from None


def decide(actor: Actor, pairing_id: int, *, advances: str, version: int, reason: str) -> Pairing:
    """Who goes on from a knock-out match that is level (a play-off elsewhere, a lot), or by a ruling whatever the result;
    "" takes it back. Once the tie after it has begun, nobody but the one who plays there.
    """
    if advances not in {"", *(colour.value for colour in Colour)}:
        raise BadInput(fields={"advances": [_("Choose one of the two.")]})
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Say how it was decided.")]})
    with transaction.atomic():
        section, pairing = _locked(actor, pairing_id, version)
        if not formats.of(section).has_bracket or pairing.black_id is None:
            raise WrongState(_("Nobody goes on from this board."))
        if pairing.outcome == Outcome.UNPLAYED:
            raise WrongState(_("Enter the result first."))
        bracket_repair.refuse_other_than_played(section, pairing, advances)
        before = pairing.advances
        pairing.advances = advances
        pairing.version += 1
        pairing.save(update_fields=["advances", "version"])
        audit.record(
            actor=actor, action=AuditAction.DECIDE_TIE, section=section, subject=pairing, before={"advances": before},
            after={"advances": advances, "round": pairing.round.number, "board": pairing.board}, reason=reason,
        )  # fmt: skip
        _follow(section, pairing)
    return pairing


def _locked(actor: Actor, pairing_id: int, version: int) -> tuple[Section, Pairing]:
    section_id = Pairing.objects.filter(pk=pairing_id).values_list("round__section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Action.ENTER_RESULTS, section.event)
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed."))
    pairing = Pairing.objects.select_related("round", "white__player", "black__player").get(pk=pairing_id)
    pairing.round.section = section
    if pairing.round.state not in PUBLIC_STATES:
        raise WrongState(_("Round %(round)s is not published yet."), round=pairing.round.number)
    if pairing.version != version:
        raise Conflict
    return section, pairing


def _replace_games(pairing: Pairing, games: Sequence[MatchGame]) -> None:
    pairing.match_games.all().delete()
    MatchGame.objects.bulk_create(games)


def _settle(
    actor: Actor, section: Section, pairing: Pairing, games: Sequence[MatchGame], *, reason: str
) -> Pairing:
    """The pairing follows from its games; a match that is level again forgets who went on."""
    outcome, grade = match_outcome.of_games(section, games)
    changed = (pairing.outcome, pairing.grade) != (outcome, grade)
    audit.record(
        actor=actor, action=AuditAction.RECORD_GAMES, section=section, subject=pairing,
        after={"games": list(pairing.match_games.values_list("number", "outcome", "grade"))}, reason=reason,
    )  # fmt: skip
    found = results.record_outcome(
        actor, pairing.pk, outcome=outcome, grade=grade, version=pairing.version, reason=reason
    )
    if not changed:
        found.version += 1
        found.save(update_fields=["version"])
    _follow(section, found)
    return found


def _follow(section: Section, pairing: Pairing) -> None:
    jobs.bump(section, public=True)
    jobs.enqueue(section, Job.Kind.STANDINGS, round_number=pairing.round.number)
