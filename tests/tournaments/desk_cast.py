"""People and one event for the tests of the desk: everybody who may knock at it, and everything they may knock at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.permission_table import Who
from tests.tournaments import builders
from tournaments.audit import Actor
from tournaments.models import (
    Absence,
    AbsenceRequest,
    Entry,
    Event,
    ForbiddenPair,
    ImportDraft,
    Job,
    Pairing,
    Presence,
    Registration,
    Role,
    Round,
    Section,
    User,
)
from tournaments.services import absence_requests, draft, entries, entry_import, notices, registration

LIST = "姓名,单位,等级分\n" + "".join(
    f"选手{chr(0x4E00 + 7 * n)},队{n % 4},{2400 - 10 * n}\n" for n in range(20)
)


OF_AN_EVENT = (
    "event", "event_settings", "event_show", "officials", "log", "event_close", "section_new", "files",
    "report_import", "notices", "check_in",
)  # fmt: skip
OF_A_SECTION = (
    "registration", "registration_terms", "check_in_close", "absence_table", "section", "section_settings", "section_delete", "section_close", "section_reopen", "entries", "entry_new", "links",
    "import", "pair", "relax", "publish_all", "discard", "bracket_repair", "forbidden", "standings", "adjust", "print_standings",
)  # fmt: skip
OF_A_ROUND = (
    "round", "round_start", "draft", "why_not", "publish", "unpublish", "results", "result_changes", "print_boards", "print_names",
    "print_slips", "print_cards",
)  # fmt: skip
OF_AN_ENTRY = (
    "entry",
    "entry_remove",
    "entry_withdraw",
    "entry_return",
    "entry_absence",
    "entry_link",
    "entry_members",
    "payment",
)


def client_of(user: User | None, *, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    if user is not None:
        client.force_login(user)
    return client


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """A Swiss of eight: round 1 public with one result, round 2 not paired."""

    organizer: Actor
    section: Section
    users: dict[str, User | None]

    @property
    def event(self) -> Event:
        return self.section.event

    def client(self, who: str, *, language: str = "en") -> Client:
        return client_of(self.users[who], language=language)


def cast(**fields: Any) -> Cast:
    organizer = builders.organizer()
    section = builders.section(organizer, players=8, rounds_total=3, **fields)
    event = section.event
    stranger = builders.organizer()
    builders.section(stranger)
    assert organizer.user is not None
    users: dict[str, User | None] = {
        "anonymous": None,
        "stranger": builders.user(),
        "other organizer": stranger.user,
        Who.ORGANIZER: _plain(organizer.user),
        Who.CHIEF_ARBITER: builders.with_role(event, Role.Kind.CHIEF_ARBITER).user,
        Who.ARBITER: builders.with_role(event, Role.Kind.ARBITER).user,
        Who.COMMITTEE: builders.with_role(event, Role.Kind.COMMITTEE).user,
        Who.PLAYER: builders.with_role(event, Role.Kind.PLAYER).user,
        Who.ADMIN: builders.user(staff=True),
    }
    return Cast(organizer=organizer, section=section, users=users)


def _plain(user: User) -> User:
    """Staff made the event; what its organizer may do at it must not rest on that."""
    user.is_staff = False
    user.save()
    return user


def arguments(cast: Cast) -> dict[str, dict[str, Any]]:
    """What each address of the desk is about, made for real."""
    section, event = cast.section, cast.event
    entry = builders.entry_list(section)[-1]
    others = builders.entry_list(section)
    absence = entries.announce_absence(cast.organizer, others[0].pk, round_number=2)
    asked = absence_requests.ask(cast.organizer, others[1].link, round_number=3, kind="ZERO_BYE")
    pair = draft.forbid_pair(cast.organizer, section.pk, first=others[0].pk, second=others[1].pk)
    held = entry_import.hold_entries(
        cast.organizer, section.pk, filename="list.csv", content=LIST.encode(), options=None
    )
    builders.publish_next(cast.organizer, section)
    board = Pairing.objects.filter(round__section=section, black__isnull=False).first()
    job = Job.objects.filter(section=section).first()
    role = event.roles.filter(kind=Role.Kind.COMMITTEE).first()
    assert board is not None and job is not None and role is not None
    posted = notices.post_notice(cast.organizer, event.pk, text="Quiet please")
    in_event, in_section = {"event_id": event.pk}, {"section_id": section.pk}
    in_round, in_entry = {**in_section, "number": 1}, {"entry_id": entry.pk}
    return {
        **{
            name: {}
            for name in (
                "setup",
                "home",
                "account",
                "token",
                "accounts",
                "backups",
                "event_new",
                "event_import",
            )
        },
        **dict.fromkeys(OF_AN_EVENT, in_event),
        **dict.fromkeys(OF_A_SECTION, in_section),
        **dict.fromkeys(OF_A_ROUND, in_round),
        **dict.fromkeys(OF_AN_ENTRY, in_entry),
        "backup_file": {"kept": "backup-20260101-000000.zip"},
        "official_remove": {"role_id": role.pk},
        "notice_withdraw": {"notice_id": posted.pk},
        "registration_answer": {"registration_id": _registered(cast).pk},
        "absence_answer": {"request_id": asked.pk},
        "import_preview": {**in_section, "draft_id": held.pk},
        "absence_cancel": {"absence_id": absence.pk},
        "pair_allow": {"pair_id": pair.pk},
        "job": {"job_id": job.pk},
        "draft_change": {**in_round, "verb": "swap"},
        "result": {"pairing_id": board.pk},
        "match": {"pairing_id": board.pk},
        "result_undo": {"pairing_id": board.pk},
    }


def _registered(cast: Cast) -> Registration:
    registration.set_terms(cast.organizer, cast.section.pk, {"is_open": True})
    return registration.register(
        cast.organizer, cast.section.pk, {"name": "Late Comer", "contact": "x"}, submission="cast"
    )


def url(name: str, **arguments: Any) -> str:
    return reverse(f"desk:{name}", kwargs=arguments)


def fingerprint(cast: Cast) -> dict[str, Any]:
    """All that a page of the desk could change at the event."""
    section = cast.section
    return {
        "event": Event.objects.filter(pk=cast.event.pk).values().get(),
        "sections": list(Section.objects.filter(event=cast.event).values()),
        "entries": list(Entry.objects.filter(section=section).values().order_by("pk")),
        "rounds": list(Round.objects.filter(section=section).values().order_by("pk")),
        "pairings": list(Pairing.objects.filter(round__section=section).values().order_by("pk")),
        "absences": list(Absence.objects.filter(entry__section=section).values().order_by("pk")),
        "forbidden": list(ForbiddenPair.objects.filter(section=section).values().order_by("pk")),
        "roles": list(Role.objects.filter(event=cast.event).values().order_by("pk")),
        "jobs": list(Job.objects.filter(section=section).values("pk", "state").order_by("pk")),
        "files": list(ImportDraft.objects.filter(section=section).values("pk", "options")),
        "people": User.objects.count(),
        "registrations": list(Registration.objects.filter(section=section).values().order_by("pk")),
        "present": list(Presence.objects.filter(entry__section=section).values().order_by("pk")),
        "asked": list(AbsenceRequest.objects.filter(entry__section=section).values().order_by("pk")),
    }
