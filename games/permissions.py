"""Who may do what at the court: one table, asked by every service. A party's own rights go by its seat, not by a role."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import AnonymousUser

from games.models import Letter
from tournaments.audit import Actor
from tournaments.errors import NotAllowed, NotFound
from tournaments.models import Event, Role, User
from tournaments.permissions import roles_in


class Act(StrEnum):
    READ_COURT = "read-court"
    LOG_INCIDENT = "log-incident"
    RULE = "rule"
    APPROVE = "approve"  # disqualification; expulsion is ruled by the same alone
    READ_CASES = "read-cases"
    SETTLE_FEE = "settle-fee"
    ADMIT = "admit"
    COMPOSE_PANEL = "compose-panel"
    DECLARE = "declare"
    LOG_APPEAL = "log-appeal"  # handed in on paper
    HEAR_LATE = "hear-late"
    READ_REPORT = "read-report"
    WRITE_REPORT = "write-report"  # with proposals for coming events (article 15.2.22)
    ANSWER_REPORT = "answer-report"  # (article 15.2.23)
    READ_LETTERS = "read-letters"
    ANSWER_QUESTIONS = "answer-questions"  # of players, about their games (article 13.1.3)
    ANSWER_LETTERS = "answer-letters"  # to the organizing committee (article 13.1.4)


_ORGANIZER = Role.Kind.ORGANIZER
_CHIEF = Role.Kind.CHIEF_ARBITER
_ARBITER = Role.Kind.ARBITER
_COMMITTEE = Role.Kind.COMMITTEE

TABLE: dict[Act, frozenset[Role.Kind]] = {
    Act.READ_COURT: frozenset({_ORGANIZER, _CHIEF, _ARBITER, _COMMITTEE}),
    Act.LOG_INCIDENT: frozenset({_CHIEF, _ARBITER}),
    Act.RULE: frozenset({_CHIEF, _ARBITER}),
    Act.APPROVE: frozenset({_CHIEF}),
    Act.READ_CASES: frozenset({_ORGANIZER, _CHIEF, _COMMITTEE}),
    Act.SETTLE_FEE: frozenset({_ORGANIZER, _CHIEF}),
    Act.ADMIT: frozenset({_ORGANIZER, _COMMITTEE}),
    Act.COMPOSE_PANEL: frozenset({_ORGANIZER}),
    Act.DECLARE: frozenset({_COMMITTEE}),
    Act.LOG_APPEAL: frozenset({_ORGANIZER, _CHIEF, _ARBITER, _COMMITTEE}),
    Act.HEAR_LATE: frozenset({_COMMITTEE}),
    Act.READ_REPORT: frozenset({_ORGANIZER, _CHIEF, _ARBITER}),
    Act.WRITE_REPORT: frozenset({_CHIEF}),
    Act.ANSWER_REPORT: frozenset({_ORGANIZER}),
    Act.READ_LETTERS: frozenset({_ORGANIZER, _CHIEF, _ARBITER}),
    Act.ANSWER_QUESTIONS: frozenset({_CHIEF, _ARBITER}),
    Act.ANSWER_LETTERS: frozenset({_ORGANIZER}),
}

ANSWERED_BY = {Letter.Kind.QUESTION: Act.ANSWER_QUESTIONS, Letter.Kind.LETTER: Act.ANSWER_LETTERS}


def allowed(user: User | AnonymousUser | None, act: Act, event: Event) -> bool:
    return bool(TABLE[act] & roles_in(user, event))


def require(actor: Actor, act: Act, event: Event) -> None:
    """Raises NotFound for someone without any place at this court, else NotAllowed."""
    kinds = roles_in(actor.user, event)
    if TABLE[act] & kinds:
        return
    if not TABLE[Act.READ_COURT] & kinds:
        raise NotFound
    raise NotAllowed


def acts_of(user: User | None, event: Event) -> dict[str, bool]:
    """What a person may do at a court, by act, in the spelling templates need."""
    kinds = roles_in(user, event)
    return {act.value.replace("-", "_"): bool(TABLE[act] & kinds) for act in Act}
