"""What the court says in public, in every language of the site: written once, when it happens."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import AppealDecision, Effect, Incident, Ruling, Side, Subject
from games.slots import Seat, seats_of
from tournaments.models import OUTCOME_LABELS, Entry
from tournaments.selectors.match_games import is_match


def in_every_language(words: Callable[[], str]) -> dict[str, str]:
    found = {}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            found[code] = words()
    return found


def where(incident: Incident) -> str:
    if not incident.board:
        return _("Round %(round)s, %(person)s") % {
            "round": incident.round_number,
            "person": _person(incident),
        }
    seat = seat_of_incident(incident)
    if seat is None:
        return _("Round %(round)s, board %(board)s (%(white)s – %(black)s)") % {
            "round": incident.round_number,
            "board": incident.board,
            "white": incident.white,
            "black": incident.black,
        }
    return _("Round %(round)s, %(where)s (%(white)s – %(black)s)") % {
        "round": incident.round_number,
        "where": seat.where,
        "white": seat.white_name,
        "black": seat.black_name,
    }


def _person(incident: Incident) -> str:
    role = incident.get_person_role_display()
    name = f"{incident.person} ({role})" if role else incident.person
    return f"{name}, {incident.entry}" if incident.member_id is not None else name


def seat_of_incident(incident: Incident) -> Seat | None:
    """The game of a match that an incident speaks of; None for a board with one game, and for a match as a whole."""
    if incident.game_id is None or incident.pairing_id is None or not is_match(incident.section):
        return None
    assert incident.game is not None and incident.pairing is not None  # their keys are there
    return next((seat for seat in seats_of(incident.pairing) if seat.number == incident.game.number), None)


def game_words(incident: Incident) -> str:
    """The game or the team's board in words; "" where the board has one game."""
    seat = seat_of_incident(incident)
    return seat.label if seat is not None else ""


def ruling_notice(ruling: Ruling) -> str:
    return f"{where(ruling.incident)}: {what(ruling)} ({_('art. %(number)s') % {'number': ruling.article}})."


def what(ruling: Ruling) -> str:
    """The effect with the name of whom it meets, and what it sets."""
    label = " ".join(filter(None, [str(Effect(ruling.effect).label), *_set_by(ruling)]))
    if ruling.subject != Subject.RULING:
        label = str(Subject(ruling.subject).label)
    incident = ruling.incident
    seat = None if incident.person and ruling.side == incident.against else seat_of_incident(incident)
    sitting = seat.person(ruling.side) if seat is not None and ruling.side in Side.values else None
    name = str(sitting or incident.name_of(ruling.side))
    return f"{name}: {label}" if name else label


def is_public(ruling: Ruling) -> bool:
    """Whether anybody may know what the ruling was: an appeal does not publish what was private."""
    return ruling.notice_id is not None or ruling.subject == Subject.RESULT


def decision_notice(decision: AppealDecision) -> str:
    """The verdict, every measure in full, and the panel's own words. The ruling itself is named only where it was public."""
    appeal = decision.appeal
    parts = [
        _("Appeal %(number)s of %(name)s. %(where)s: %(verdict)s.")
        % {
            "number": appeal.number,
            "name": appeal.appellant,
            "where": where(appeal.ruling.incident),
            "verdict": decision.proposal.get_verdict_display(),
        }
    ]
    if appeal.revises is not None:
        parts.append(
            _("It takes the place of the decision on appeal %(number)s.") % {"number": appeal.revises.number}
        )
    measures = [what(ruling) for ruling in appeal.measures.select_related("incident").order_by("number")]
    if measures:
        parts.append(_("Decided: %(measures)s.") % {"measures": "; ".join(measures)})
    return " ".join([*parts, decision.proposal.text]).strip()


def _set_by(ruling: Ruling) -> list[str]:
    values = ruling.values
    found = []
    if values.get("outcome"):
        found.append(next(str(label) for code, label in OUTCOME_LABELS.items() if code == values["outcome"]))
    if values.get("points"):
        found.append(f"{values['points']:+d}")
    seats = [values[name] for name in ("entry", "other") if values.get(name)]
    if seats:
        names = {
            entry.pk: str(entry) for entry in Entry.objects.filter(pk__in=seats).select_related("player")
        }
        found.append(" – ".join(names[pk] for pk in seats if pk in names))
    times = [(Side.WHITE, ruling.white_seconds), (Side.BLACK, ruling.black_seconds)]
    found += [f"{side.label} {_clock(seconds)}" for side, seconds in times if seconds]
    return [f"({', '.join(found)})"] if found else []


def _clock(seconds: int) -> str:
    """Minutes and seconds, signed: charged is a plus, restored a minus."""
    return f"{'-' if seconds < 0 else '+'}{abs(seconds) // 60}:{abs(seconds) % 60:02d}"
