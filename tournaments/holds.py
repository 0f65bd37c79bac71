"""The guard of what a case holds: looked at once, where every ledger write ends, whatever door it came through.

A decision of the appeals committee is final (article 16.2), what is under appeal stays until it is decided (13.1.5), and
what a ruling in force set stays until it is withdrawn or revised. Nobody asks here who writes or how: the ledger after the write must still say what is held, or nothing is written. The
court ends its own holds before it carries out a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from tournaments.engine.types import FORFEITS, Colour, Outcome
from tournaments.errors import WrongState
from tournaments.models import PUBLIC_STATES, Adjustment, Entry, Hold, MatchGame, Pairing, Section

DECISIVE = {
    Outcome.WHITE: Colour.WHITE, Outcome.BLACK_FORFEITS: Colour.WHITE,
    Outcome.BLACK: Colour.BLACK, Outcome.WHITE_FORFEITS: Colour.BLACK,
}  # fmt: skip
CASE, WARNED, RULED = "A", "W", "R"
"""First letters of the names: an appeal, a game lost by the second public warning, any other ruling in force."""
WHOLE_MATCH_ENDS = frozenset({*FORFEITS, Outcome.BOTH_LOSE, Outcome.VOID})
"""Results that a match may have against its games: they would undo a game that is held."""


class Held(WrongState):
    """A case holds it. `values` name the case, and round and board or the player."""

    code = "final"


@dataclass(slots=True)
class _Present:
    """What the ledger says now, read for all holds of a section together."""

    games: dict[tuple[int, int], MatchGame] = field(default_factory=dict)
    points: dict[int, int] = field(default_factory=dict)


def in_force(section: Section) -> list[Hold]:
    """The holds of a section, with the rows they speak of."""
    return list(
        Hold.objects.filter(section_id=section.pk, ended_at__isnull=True).select_related(
            "pairing__round", "pairing__white", "pairing__black", "entry__player"
        )
    )


def held_boards(section: Section) -> frozenset[int]:
    """The boards whose result is held whatever happens to a player later: decided, under appeal, lost by warnings."""
    kinds = (Hold.Kind.RESULT, Hold.Kind.TO_PLAY)
    rows = Hold.objects.filter(section_id=section.pk, ended_at__isnull=True, kind__in=kinds).exclude(
        case__startswith=RULED
    )
    return frozenset(pk for pk in rows.values_list("pairing_id", flat=True) if pk is not None)


def lost_by_warnings(section: Section, round_number: int) -> frozenset[int]:
    """The board numbers of a round that are lost by the second public warning (article 14.2.4)."""
    rows = Hold.objects.filter(
        section_id=section.pk, ended_at__isnull=True, case__startswith=WARNED, round_number=round_number
    )
    return frozenset(rows.values_list("board", flat=True))


def locks(section: Section, round_number: int) -> dict[int, Held]:
    """What is held of the results of a round and why, by pairing; of several reasons the one that binds most."""
    rows = Hold.objects.filter(
        section_id=section.pk, ended_at__isnull=True, round_number=round_number, kind=Hold.Kind.RESULT
    )
    binding = sorted(rows, key=_binds)
    return {hold.pairing_id: refusal(hold) for hold in binding if hold.pairing_id is not None}


def refuse_broken(section: Section) -> None:
    """Raises Held when the ledger no longer says what a case holds; the caller's transaction comes to nothing."""
    held = in_force(section)
    if not held:
        return
    present = _read(held)
    broken = [hold for hold in held if not STANDS[Hold.Kind(hold.kind)](hold, present)]
    if broken:
        raise refusal(max(broken, key=_binds))


def _binds(hold: Hold) -> tuple[bool, int]:
    return hold.is_final, -"AWR".index(hold.case[0])


def facts_of(pairing: Pairing, number: int | None = None) -> dict[str, Any]:
    """What a hold keeps of a board or, with a number, of one game of its match."""
    found: dict[str, Any] = {"white": pairing.white_id, "black": pairing.black_id}
    if number is None:
        return found | {"outcome": pairing.outcome, "grade": pairing.grade, "advances": pairing.advances}
    game = MatchGame.objects.filter(pairing=pairing, number=number).first()
    return found | _facts_of_game(game)


def points_of(entry_id: int) -> int:
    return Adjustment.objects.filter(entry_id=entry_id).aggregate(sum=Sum("points"))["sum"] or 0


def refusal(hold: Hold) -> Held:
    where: dict[str, Any] = {"round": hold.round_number, "board": hold.board, "case": hold.case}
    if hold.case.startswith(RULED):
        return Held(
            _("Ruling %(number)s set this and is in force: withdraw or revise the ruling."),
            code="ruled",
            number=hold.case[1:],
        )
    if hold.entry is not None:
        return _of_player(hold)
    if hold.case.startswith(WARNED):
        return Held(
            _(
                "Round %(round)s, board %(board)s is lost by the second public warning (ruling %(case)s, article 14.2.4): only "
                "revoking that, with a reason, changes it."
            ),
            code="lost-by-warnings",
            **where | {"case": hold.case[1:]},
        )
    if hold.is_final:
        return Held(
            _(
                "Round %(round)s, board %(board)s: the appeals committee has decided this in case %(case)s. It is final, and "
                "only a new decision of the committee changes it (article 16.2)."
            ),
            **where,
        )
    return Held(
        _(
            "Round %(round)s, board %(board)s is under appeal in case %(case)s: it stays as it is until that is decided "
            "(article 13.1.5)."
        ),
        code="under-appeal",
        **where,
    )


def _of_player(hold: Hold) -> Held:
    where: dict[str, Any] = {"name": str(hold.entry), "case": hold.case}
    if hold.is_final:
        return Held(
            _(
                "%(name)s: the appeals committee has decided on this player's place or points in case %(case)s. It is final, "
                "and only a new decision of the committee changes it (article 16.2)."
            ),
            **where,
        )
    return Held(
        _(
            "%(name)s: this player's place or points are under appeal in case %(case)s and stay as they are until that is "
            "decided (article 13.1.5)."
        ),
        code="under-appeal",
        **where,
    )


def _read(held: list[Hold]) -> _Present:
    present = _Present()
    matches = [hold.pairing_id for hold in held if hold.number is not None and hold.pairing_id]
    if matches:
        rows = MatchGame.objects.filter(pairing__in=matches)
        present.games = {(row.pairing_id, row.number): row for row in rows}
    players = [hold.entry_id for hold in held if hold.kind == Hold.Kind.POINTS and hold.entry_id]
    if players:
        sums = Adjustment.objects.filter(entry__in=players).order_by().values_list("entry")
        present.points = dict(sums.annotate(Sum("points")))
    return present


def _seats_stand(hold: Hold, _present: _Present) -> bool:
    board = hold.pairing
    if board is None or board.round.state not in PUBLIC_STATES:
        return False
    return (board.white_id, board.black_id) == (hold.values["white"], hold.values["black"])


def _result_stands(hold: Hold, present: _Present) -> bool:
    board, values = hold.pairing, hold.values
    if board is None or not _seats_stand(hold, present):
        return False
    if hold.number is not None:
        game = _facts_of_game(present.games.get((board.pk, hold.number)))
        is_beside = board.outcome in WHOLE_MATCH_ENDS and board.outcome != values.get("match")
        return not is_beside and all(values[name] == game[name] for name in game)
    if _is_annulled(hold, board):
        return True
    if (board.outcome, board.grade) != (values["outcome"], values["grade"]):
        return False
    names_winner = bool(values["advances"]) or Outcome(values["outcome"]) in DECISIVE
    return not names_winner or board.advances in (values["advances"], _winner(values["outcome"]))


def _is_annulled(hold: Hold, board: Pairing) -> bool:
    """A player who left takes his games with him, ruled on or not; what is held for good stays."""
    seated = [entry for entry in (board.white, board.black) if entry is not None]
    one_left = any(entry.status != Entry.Status.ACTIVE for entry in seated)
    return board.outcome == Outcome.VOID and one_left and hold.case.startswith(RULED)


def _winner(outcome: str) -> str:
    colour = DECISIVE.get(Outcome(outcome))
    return colour.value if colour else ""


def _facts_of_game(game: MatchGame | None) -> dict[str, Any]:
    if game is None:
        return {"outcome": Outcome.UNPLAYED.value, "grade": ""}
    return {"outcome": game.outcome, "grade": game.grade, "first": game.first_id, "second": game.second_id}


def _to_play_stands(hold: Hold, present: _Present) -> bool:
    if hold.pairing is None or not _seats_stand(hold, present):
        return False
    now = hold.pairing.outcome
    if hold.number is not None:
        now = _facts_of_game(present.games.get((hold.pairing.pk, hold.number)))["outcome"]
    return now not in hold.values["not"]


def _status_stands(hold: Hold, _present: _Present) -> bool:
    entry = hold.entry
    return (
        entry is not None
        and (entry.status == Entry.Status.DISQUALIFIED) == hold.values["disqualified"]
        and (
            not hold.values["disqualified"]
            or entry.withdrawn_after_round == hold.values["withdrawn_after_round"]
        )
    )


def _points_stand(hold: Hold, present: _Present) -> bool:
    points: int = hold.values["points"]
    return present.points.get(hold.entry_id or 0, 0) == points


STANDS: dict[Hold.Kind, Callable[[Hold, _Present], bool]] = {
    Hold.Kind.RESULT: _result_stands,
    Hold.Kind.TO_PLAY: _to_play_stands,
    Hold.Kind.SEATS: _seats_stand,
    Hold.Kind.STATUS: _status_stands,
    Hold.Kind.POINTS: _points_stand,
}
