"""What rulings and decisions do to the ledger, what they would do, and how it is put back.

The one place where the court acts with an authority of its own: the caller has checked the right to rule. Everything
happens inside the caller's transaction, and what was changed is told as plain data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from django.utils.translation import gettext as _

from games.models import Copy, Effect, Game, Incident, Result, Side
from games.services.results import set_outcome
from games.services.sheets import game_for
from games.slots import pairing_of, seat_at, seats_of
from tournaments import formats
from tournaments.audit import Actor
from tournaments.errors import BadInput, WrongState
from tournaments.models import Pairing, Round, Section, TeamMember
from tournaments.selectors import match_games, whatif
from tournaments.selectors.whatif import (
    Adjust,
    Change,
    Disqualify,
    SetGame,
    SetOutcome,
    SetStatus,
    TurnColours,
)
from tournaments.services import corrections, results
from tournaments.services.corrections import BoardChange, Departure

Applied = dict[str, Any]

LOST = {Side.WHITE: "BLACK", Side.BLACK: "WHITE"}
FORFEITS = {Side.WHITE: "WHITE_FORFEITS", Side.BLACK: "BLACK_FORFEITS"}
FOR_BOTH = {Effect.BOTH_LOSE: "BOTH_LOSE", Effect.BOTH_FORFEIT: "BOTH_FORFEIT", Effect.REPLAY: "UNPLAYED"}
ENDS_THE_GAME = frozenset({Effect.DISQUALIFY, Effect.EXPEL})
"""What ends a game in play: it is lost, and counts as played (12.2.4). A finished game stays as it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One thing to do. `side` is whom it meets; seconds are charged, with a minus restored; `entry` takes `points`."""

    effect: str
    side: str = ""
    white_seconds: int = 0
    black_seconds: int = 0
    outcome: str = ""
    entry: int | None = None
    points: int = 0
    other: int | None = None  # whose seat `entry` takes, in the next round

    def as_data(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in ("", 0, None)}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Measure:
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultChange:
    """The result of a board before and after or, with a `number`, of one game of a match."""

    pairing: int
    before: str
    after: str
    grade: str = ""
    number: int | None = None

    def as_change(self, outcome: str) -> Change:
        if self.number is None:
            return SetOutcome(pairing=self.pairing, outcome=outcome)
        return SetGame(pairing=self.pairing, number=self.number, outcome=outcome)


def foresee(incident: Incident, measures: Sequence[Measure], *, undo: Applied | None = None) -> list[Change]:
    """The changes of the ledger that the measures would make, after `undo` is put back; for what-if questions."""
    changes = _back(undo) if undo else []
    for measure in measures:
        changes += _changes(incident, measure)
    return changes


def apply(
    actor: Actor, incident: Incident, measures: Sequence[Measure], *, source: str, authority: str, reason: str
) -> Applied:
    """Do it, and tell what was changed. Raises WrongState where the ledger is closed or the board is gone."""
    court = replace(actor, authority=authority)
    told: Applied = {}
    for measure in measures:
        _apply(court, incident, measure, told, source=source, reason=reason)
    return told


def put_back(
    actor: Actor, incident: Incident, told: Applied, *, source: str, authority: str, reason: str
) -> None:
    """Undo what was told. A board whose result somebody changed since stays as it is."""
    court = replace(actor, authority=authority)
    for given in reversed(told.get("adjustments", [])):
        results.adjust_score(
            court, given["entry"], points=-given["points"], after_round=given["after_round"], reason=reason
        )
    if "departure" in told:
        corrections.restore_entry(court, _departure(told["departure"]), reason=reason)
    if "member" in told:
        corrections.restore_member(court, told["member"], reason=reason)
    if "colours" in told:
        corrections.turn_colours(court, told["colours"], reason=reason)
    if "outcome" in told:
        change = ResultChange(**told["outcome"])
        if still_stands(change):
            _set(
                court, change.pairing, change.number, outcome=change.before, grade=change.grade, source=source,
                reason=reason,
            )  # fmt: skip


def _apply(
    court: Actor, incident: Incident, measure: Measure, told: Applied, *, source: str, reason: str
) -> None:
    outcome = _outcome(incident, measure)
    if outcome is not None:
        pairing, number = _pairing(incident), number_of(incident)
        found = seat_at(pairing, number) if number is not None else pairing
        before = ResultChange(
            pairing=pairing.pk, number=number, before=found.outcome, grade=found.grade, after=outcome
        )
        _set(court, pairing.pk, number, outcome=outcome, grade="", source=source, reason=reason)
        told.setdefault("outcome", asdict(before))
        told["outcome"]["after"] = outcome
    if measure.effect == Effect.REPLAY:
        told["game"] = _new_game(_pairing(incident), number_of(incident)).pk
    elif measure.effect == Effect.TURN_COLOURS:
        if number_of(incident) is not None:
            raise WrongState(
                _("The colours of a game of a match cannot be turned: correct the match by hand.")
            )
        told["colours"] = corrections.turn_colours(court, _pairing(incident).pk, reason=reason).pk
    elif measure.effect == Effect.DISQUALIFY and formats.of(incident.section).enters_teams:
        told["member"] = corrections.disqualify_member(
            court,
            _member(incident, measure).pk,
            from_round=incident.round_number + has_begun(incident),
            reason=reason,
        ).pk
    elif measure.effect == Effect.DISQUALIFY:
        gone = corrections.disqualify_entry(
            court, _entry(incident, measure), round_number=incident.round_number, reason=reason
        )
        told["departure"] = asdict(gone)
    elif measure.effect == Effect.POINTS:
        given = _adjust(incident, measure)
        results.adjust_score(
            court, given.entry, points=given.points, after_round=given.after_round, reason=reason
        )
        told.setdefault("adjustments", []).append(asdict(given))
    elif measure.effect == Effect.EXCHANGE:
        _exchange(court, incident.section, measure, reason=reason)
        told["exchange"] = [measure.entry, measure.other]


def _changes(incident: Incident, measure: Measure) -> list[Change]:
    outcome = _outcome(incident, measure)
    found: list[Change] = []
    if outcome is not None and incident.pairing_id is not None:
        change = ResultChange(
            pairing=incident.pairing_id, number=number_of(incident), before="", after=outcome
        )
        found.append(change.as_change(outcome))
    if measure.effect == Effect.TURN_COLOURS and incident.pairing_id is not None:
        return [TurnColours(pairing=incident.pairing_id)]
    if measure.effect == Effect.DISQUALIFY and not formats.of(incident.section).enters_teams:
        return [*found, Disqualify(entry=_entry(incident, measure), round_number=incident.round_number)]
    if measure.effect == Effect.POINTS:
        return [_adjust(incident, measure)]
    return found


def _back(told: Applied) -> list[Change]:
    changes: list[Change] = [
        Adjust(entry=a["entry"], points=-a["points"], after_round=a["after_round"])
        for a in reversed(told.get("adjustments", []))
    ]
    if "departure" in told:
        gone = _departure(told["departure"])
        changes.append(
            SetStatus(entry=gone.entry, status=gone.status, withdrawn_after_round=gone.withdrawn_after_round)
        )
        changes += [
            SetOutcome(pairing=b.pairing, outcome=b.before)
            for b in gone.boards
            if still_stands(ResultChange(pairing=b.pairing, before=b.before, after=b.after))
        ]
    if "colours" in told:
        changes.append(TurnColours(pairing=told["colours"]))
    if "outcome" in told and still_stands(change := ResultChange(**told["outcome"])):
        changes.append(change.as_change(change.before))
    return changes


def still_stands(change: ResultChange) -> bool:
    """Nobody changed the result since."""
    if change.number is None:
        return Pairing.objects.filter(pk=change.pairing, outcome=change.after).exists()
    if not Pairing.objects.filter(pk=change.pairing).exists():
        return False
    seats = seats_of(pairing_of(change.pairing))
    return any(seat.number == change.number and seat.outcome == change.after for seat in seats)


def is_annulled(change: ResultChange) -> bool:
    """The board was annulled since, with all games of a player who left."""
    return change.number is None and Pairing.objects.filter(pk=change.pairing, outcome="VOID").exists()


def outcome_now(incident: Incident) -> str:
    """The result of the incident's board or game; "" without a board."""
    return "" if incident.pairing_id is None else present(incident)["before"]


def present(incident: Incident) -> dict[str, str]:
    """The result of the incident's board or game as what a ruling changes tells it."""
    pairing, number = _pairing(incident), number_of(incident)
    found = seat_at(pairing, number) if number is not None else pairing
    return {"before": found.outcome, "grade": found.grade}


def number_of(incident: Incident) -> int | None:
    """Which game of a match an incident speaks of; None for a board with one game, and for a match as a whole."""
    if incident.game is None or incident.pairing_id is None:
        return None
    return incident.game.number if match_games.is_match(incident.section) else None


def _outcome(incident: Incident, measure: Measure) -> str | None:
    """The ledger's code that the measure sets on the board; None when it leaves the result alone."""
    if measure.effect == Effect.GAME_LOST:
        return _lost(incident, measure.side)
    if measure.effect in ENDS_THE_GAME:
        return _lost(incident, measure.side) if _is_in_play(incident, measure) else None
    if measure.effect == Effect.FORFEIT:
        return FORFEITS[Side(measure.side)]
    if measure.effect == Effect.RESULT:
        return measure.outcome
    return FOR_BOTH.get(Effect(measure.effect))


def _lost(incident: Incident, side: str) -> str:
    """A game judged lost counts as played (12.2.4); before the clocks start there is none, and it is a forfeit."""
    return (LOST if has_begun(incident) else FORFEITS)[Side(side)]


def has_begun(incident: Incident) -> bool:
    """Whether the clocks ran when it happened. Where nobody has said when the round starts, they did."""
    if incident.pairing_id is None:
        return False
    starts = Round.objects.filter(pairings=incident.pairing_id).values_list("clocks_started_at", "starts_at")
    started = next((actual or scheduled for actual, scheduled in starts), None)
    return started is None or incident.happened_at >= started


def _is_in_play(incident: Incident, measure: Measure) -> bool:
    """Whether the player's game has no result yet. Before the clocks start a substitute may still sit down for him."""
    if measure.side not in Side.values or incident.pairing_id is None:
        return False
    if (
        formats.of(incident.section).enters_teams
        and measure.effect == Effect.DISQUALIFY
        and not has_begun(incident)
    ):
        return False
    pairing = pairing_of(incident.pairing_id)
    number = number_of(incident)
    present = seat_at(pairing, number) if number is not None else pairing
    return present.outcome == "UNPLAYED"


def hold(actor: Actor, incident: Incident, outcome: str, *, source: str, authority: str, reason: str) -> None:
    """Set the result that still holds at the incident's board, where another was put back."""
    pairing, number = _pairing(incident), number_of(incident)
    court = replace(actor, authority=authority)
    _set(court, pairing.pk, number, outcome=outcome, grade="", source=source, reason=reason)


def _set(
    court: Actor, pairing_id: int, number: int | None, *, outcome: str, grade: str, source: str, reason: str
) -> None:
    """The result in the ledger and in the chain of the game's results; without a number, of the whole board."""
    pairing = pairing_of(pairing_id)
    seat = seat_at(pairing, number or 1)
    present = seat if number is not None else pairing
    if (present.outcome, present.grade) == (outcome, grade):
        return
    before = present.outcome
    if number is None:
        results.record_outcome(
            court, pairing_id, outcome=outcome, grade=grade, version=pairing.version, reason=reason
        )
    else:
        set_outcome(court, seat, outcome=outcome, version=pairing.version, reason=reason)
    game = game_for(seat)
    Result.objects.create(
        game=game, outcome=outcome, before=before, source=source, reason=reason[:500],
        supersedes=game.results.filter(superseded_by__isnull=True).last(), made_by=court.user,
    )  # fmt: skip
    if game.is_final:
        game.finalised_at = None
        game.save(update_fields=["finalised_at"])


def _new_game(pairing: Pairing, number: int | None) -> Game:
    """The game that plays the void one again (article 7.1), with copies of its own."""
    old = game_for(seat_at(pairing, number or 1))
    new = Game.objects.create(
        pairing=pairing, number=old.number, attempt=old.attempt + 1, stage=old.stage, replaces=old
    )
    Copy.objects.bulk_create(Copy(game=new, side=side) for side in Side.values)
    return new


def _exchange(court: Actor, section: Section, measure: Measure, *, reason: str) -> None:
    round_ = whatif.open_next_round(section)
    if round_ is None or measure.entry is None or measure.other is None:
        raise WrongState(_("There is no board of a published round that has not begun."))
    corrections.exchange_players(court, round_.pk, first=measure.entry, second=measure.other, reason=reason)


def _adjust(incident: Incident, measure: Measure) -> Adjust:
    return Adjust(entry=_entry(incident, measure), points=measure.points, after_round=incident.round_number)


def _entry(incident: Incident, measure: Measure) -> int:
    if measure.entry is not None:
        return measure.entry
    found = incident.entry_of(measure.side)
    if found is None:
        raise BadInput(fields={"side": [_("Say whom it meets.")]})
    return found.pk


def _member(incident: Incident, measure: Measure) -> TeamMember:
    """Who is meant in a team: whom the incident names, or who sits at its board."""
    found: object = incident.member if measure.side in (incident.against, "") else None
    if found is None and measure.side in Side.values and (number := number_of(incident)) is not None:
        found = seat_at(_pairing(incident), number).person(measure.side)
    if not isinstance(found, TeamMember):
        raise BadInput(fields={"side": [_("Say which player of the team it is.")]})
    return found


def _pairing(incident: Incident) -> Pairing:
    found = None
    if incident.pairing_id is not None:
        found = Pairing.objects.select_related("round").filter(pk=incident.pairing_id).first()
    if found is None:
        raise WrongState(_("The board of this incident is gone."))
    return found


def _departure(data: Mapping[str, Any]) -> Departure:
    return Departure(**{**data, "boards": tuple(BoardChange(**board) for board in data["boards"])})
