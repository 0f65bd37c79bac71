"""Ask for a paper, and the job that prints it. Papers change nothing in the ledger."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import formats, jobs
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.exports import papers
from tournaments.gate import lock_event
from tournaments.models import Event, Job, Paper, Round, Section
from tournaments.permissions import Action, require

KEPT = 30  # papers of an event; older ones are printed again in a moment
OF_A_ROUND = (Paper.Kind.BOARDS, Paper.Kind.NAMES, Paper.Kind.SLIPS, Paper.Kind.TENTS, Paper.Kind.MATCHES)
OF_AN_EVENT = (Paper.Kind.ENTRIES, Paper.Kind.BADGES, Paper.Kind.POSTER, Paper.Kind.BOOK)
OF_A_TABLE = (Paper.Kind.STANDINGS, Paper.Kind.PRIZES, Paper.Kind.CERTIFICATES)
_STEPS = 3  # what is on it, type-setting, filing


def order_paper(
    actor: Actor,
    event_id: int,
    *,
    kind: str,
    section_id: int | None = None,
    round_number: int | None = None,
    language: str = Paper.Language.BOTH,
    address: str = "",
) -> Paper:
    """Put a paper in the queue, or return the one that waits already. `address` is checked by `public_address`.

    Raises WrongState where there is nothing to print yet, BadInput for what is no kind or address.
    """
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor, Action.VIEW_DESK, event)
    section, number = _subject(event, kind, section_id, round_number)
    if language not in Paper.Language.values:
        raise BadInput(_("Choose a language."))
    queue = section or event.sections.order_by("position", "id").first()
    if queue is None:
        raise WrongState(_("Make a section first."))
    return _queued(
        Paper(
            event=event, section=section, kind=kind, round_number=number, language=language, address=public_address(address),
        ),
        queue, actor,
    )  # fmt: skip


def _queued(paper: Paper, queue: Section, actor: Actor) -> Paper:
    with transaction.atomic():
        lock_event(paper.event_id)  # so that a double press finds the first one
        waiting = Paper.objects.filter(
            event=paper.event, section=paper.section, kind=paper.kind, round_number=paper.round_number, language=paper.language,
            address=paper.address, job__state__in=[Job.State.QUEUED, Job.State.RUNNING],
        ).first()  # fmt: skip
        if waiting is not None:
            return waiting
        paper.job = Job.objects.create(
            section=queue, kind=Job.Kind.PAPER, round_number=paper.round_number, requested_by=actor.user
        )
        paper.save()
        old = Paper.objects.filter(event=paper.event).order_by("-pk").values_list("job_id", flat=True)[KEPT:]
        Job.objects.filter(pk__in=list(old), state__in=[Job.State.DONE, Job.State.FAILED]).delete()
        job_id = paper.job_id
        transaction.on_commit(lambda: jobs.ring(job_id))
    return paper


def _subject(
    event: Event, kind: str, section_id: int | None, round_number: int | None
) -> tuple[Section | None, int | None]:
    if kind not in Paper.Kind.values:
        raise BadInput(_("There is no such paper."))
    if kind in OF_AN_EVENT:
        return None, None
    section = event.sections.filter(pk=section_id).first() if section_id is not None else None
    if section is None:
        raise NotFound
    if kind == Paper.Kind.MATCHES and not formats.of(section).enters_teams:
        raise WrongState(_("Match sheets are for teams."))
    if kind in OF_A_ROUND:
        return section, _paired(section, round_number).number
    if kind in OF_A_TABLE and not section.standings.exists():
        raise WrongState(_("There are no standings yet."))
    if kind == Paper.Kind.CROSS and not section.rounds.filter(state__in=("PUBLISHED", "CLOSED")).exists():
        raise WrongState(_("Round 1 is not published yet."))
    return section, None


def _paired(section: Section, number: int | None) -> Round:
    found = section.rounds.filter(number=number or 0).exclude(state=Round.State.OPEN).first()
    if found is None:
        raise WrongState(_("This round is not paired yet."))
    return found


def run_paper_job(job: Job) -> None:
    """Print the paper of a job."""
    paper = Paper.objects.select_related("event", "section").get(job=job)
    jobs.report_progress(job, done=0, total=_STEPS)
    versions = {str(pk): version for pk, version in paper.event.sections.values_list("pk", "version")}
    data = papers.document(paper)
    jobs.report_progress(job, done=1, total=_STEPS)
    made = papers.set_type(data)
    jobs.report_progress(job, done=2, total=_STEPS)
    with transaction.atomic():
        held = jobs.hold(job)
        Paper.objects.filter(pk=paper.pk).update(content=made.content, pages=made.pages, versions=versions)
        held.total = _STEPS
        jobs.finish(held)


def is_current(paper: Paper) -> bool:
    """Whether nothing was written since in the sections that the paper is about."""
    sections = [paper.section] if paper.section is not None else list(paper.event.sections.all())
    return all(paper.versions.get(str(section.pk)) == section.version for section in sections)


def public_address(text: str) -> str:
    """The beginning of an address as codes to scan carry it; "" for none. Raises BadInput for one that no phone could open."""
    text = text.strip().rstrip("/")
    if not text:
        return ""
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", None
    plain = (
        parts is not None
        and parts.scheme in {"http", "https"}
        and not (parts.path or parts.query or parts.fragment)
    )
    if (
        parts is None
        or not host
        or not plain
        or parts.username is not None
        or len(text) > 200
        or any(c.isspace() for c in text)
    ):
        raise BadInput(
            _("Write an address such as http://192.168.1.20:8000."),
            fields={"address": [_("Write an address such as http://192.168.1.20:8000.")]},
        )
    if is_of_this_machine(host):
        told = _("Only this computer itself can open %(host)s: a phone that scans the code could not.") % {
            "host": host
        }
        raise BadInput(told, fields={"address": [told]})
    return text


def is_of_this_machine(host: str) -> bool:
    """Whether a name leads nowhere but to the computer it is used on."""
    host = host.casefold().rstrip(".").strip("[]")
    if host in {"localhost", ""} or host.endswith(".localhost"):
        return True
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None) or found
    return bool(mapped.is_loopback or mapped.is_unspecified)


def addresses(*, scheme: str, host: str, port: str) -> list[str]:
    """What codes may begin with: the site's own address, the one this page was opened by, those of this computer in the hall."""
    suffix = f":{port}" if port and port not in {"80", "443"} else ""
    local = [f"{scheme}://{name}{suffix}" for name in _hosts_here()]
    found = [settings.PUBLIC_URL, f"{scheme}://{host}{suffix}", *local]
    return [
        address
        for address in dict.fromkeys(filter(None, found))
        if not is_of_this_machine(urlsplit(address).hostname or "")
    ]


def _hosts_here() -> Iterable[str]:
    """This computer's addresses in its networks. Nothing is sent: a datagram socket only looks up its way out."""
    for target in ("10.255.255.255", "192.168.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                yield probe.getsockname()[0]
            except OSError:
                continue
