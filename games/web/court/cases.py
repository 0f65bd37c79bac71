"""A case for those who work on it: the file, the fee, the panel, the hearing, the deliberation, the decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.exports import case_file
from games.models import Appeal, Party, Proposal
from games.permissions import Act
from games.selectors import court as selectors
from games.selectors import court_cases
from games.services.court import appeals, ballots, cases, decisions, panels
from games.web.court.forms import DecisionForm, ProposalForm, RelationForm, StatementForm
from games.web.court.incidents import next_context
from games.web.court.support import event_context, served_file
from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, NotFound
from tournaments.models import Event
from tournaments.selectors import desk, whatif
from tournaments.web.http import actor_of, answer, desk_page, refusals_at, writes_when_read

PLAIN_VERDICTS = [(v.value, v.label) for v in (Proposal.Verdict.DISMISS, Proposal.Verdict.UPHOLD)]
"""What is proposed without a measure, by one button."""


@desk_page
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """What waits for the person: the cases whose panel he sits on, his players' rulings and cases, his courts."""
    actor = actor_of(request)
    assert actor.user is not None
    panel_cases = court_cases.cases_of_member(actor.user)
    waiting = [case for case in panel_cases if not case.is_over]
    if request.GET.get("waiting") and len(waiting) == 1:
        return redirect("games:case", waiting[0].pk)
    own = court_cases.own_entries(actor)
    context = {
        "panel_cases": panel_cases,
        "events": selectors.events_with_court(actor),
        "rulings": court_cases.rulings_about(own),
        "cases": court_cases.cases_about(own),
        "ruled_cases": court_cases.cases_against(actor.user),
        "entries": own,
    }
    return render(request, "games/court/mine.html", context)


@writes_when_read
@desk_page
@require_safe
def case(request: HttpRequest, appeal_id: int) -> HttpResponse:
    actor = actor_of(request)
    found = court_cases.case_for(actor, appeal_id)
    if found.copy_read_at is None and event_context(request, found.event)["may"]["approve"]:
        appeals.mark_copy_read(actor, appeal_id)
        found = court_cases.case_for(actor, appeal_id)
    if cases.is_its_arbiter(actor, found):
        cases.seen(found, Party.ARBITER)
    return _page(request, actor, found)


def _page(
    request: HttpRequest,
    actor: Actor,
    found: Appeal,
    *,
    refusal: DomainError | None = None,
    **forms: Any,
) -> HttpResponse:
    inner = court_cases.deliberates(actor, found)
    seat = cases.own_seat(actor, found)
    over = found.state == Appeal.State.DECIDED
    seats = court_cases.seats(found)
    taken = {s.user_id for s in seats}
    context = event_context(request, found.event) | {
        "case": found,
        "ruling": found.ruling,
        "timeline": court_cases.timeline(found, inner=inner or over),
        "seats": seats,
        "faults": panels.panel_faults(cases.sitting(found)),
        "candidates": panels.candidates(found) if _is_new(found) and not seats else [],
        "free": [role for role in court_cases.members(found.event) if role.user_id not in taken],
        "evidence": court_cases.evidence_of(found),
        "statements": list(found.statements.all()),
        "unheard": panels.unheard(found),
        "seat": seat,
        "inner": inner,
        "is_convenor": seat is not None and seat.is_convenor,
        "has_voted": ballots.has_voted(actor, found),
        "voted": court_cases.voted(found) if inner else set(),
        "proposals": court_cases.proposals_for(actor, found) if inner else [],
        "tallies": list(found.tallies.select_related("chosen")) if inner or over else [],
        "is_party": court_cases.is_party(actor, found),
        "late_only": [appeals.LATE],
        "speaks_for_ruling": cases.is_its_arbiter(actor, found),
        "joined": list(found.joined.select_related("appellant__player")),
        "measures": decisions.measures_of(found),
        "plain_verdicts": PLAIN_VERDICTS,
        "statement_form": StatementForm(),
        "decision_form": DecisionForm(),
        "proposal_form": ProposalForm(seats=desk.numbered_choices(found.section)),
    }
    bound = list(forms.values())
    return answer(request, "games/court/case.html", context | forms, forms=bound, refusal=refusal)


def _is_new(found: Appeal) -> bool:
    return found.state in panels.COMPOSING and found.joined_to_id is None


def _number(text: str | None) -> int:
    if text is None or not text.isdecimal() or len(text) > 12:
        raise NotFound
    return int(text)


_Do = Callable[[Actor, int, Any], object]
_VERBS: dict[str, _Do] = {
    "fee": lambda actor, pk, posted: appeals.confirm_fee(actor, pk),
    "admit": lambda actor, pk, posted: appeals.admit_appeal(actor, pk),
    "refuse": lambda actor, pk, posted: appeals.refuse_appeal(actor, pk, reason=posted.get("reason", "")),
    "seat": lambda actor, pk, posted: panels.seat_member(
        actor, pk, user_id=_number(posted.get("user")), convenor=posted.get("convenor") == "yes",
        replaces=_number(posted["replaces"]) if posted.get("replaces") else None,
    ),
    "start": lambda actor, pk, posted: panels.start_case(
        actor, pk, members=[_number(user) for user in posted.getlist("members")], convenor=_number(posted.get("convenor")),
    ),
    "hear": lambda actor, pk, posted: panels.close_hearing(actor, pk, reason=posted.get("reason", "")),
    "open": lambda actor, pk, posted: panels.open_hearing(actor, pk),
    "statement": lambda actor, pk, posted: panels.file_statement(actor, pk, text=posted.get("text", "")),
    "waive": lambda actor, pk, posted: panels.waive_statement(
        actor, pk, party=posted.get("party", ""), reason=posted.get("reason", "")
    ),
    "late": lambda actor, pk, posted: appeals.hear_late(actor, pk, cause=posted.get("reason", "")),
    "again": lambda actor, pk, posted: panels.take_up_again(actor, pk, reason=posted.get("reason", "")),
    "vote-again": lambda actor, pk, posted: ballots.vote_again(actor, pk, reason=posted.get("reason", "")),
    "deliberate": lambda actor, pk, posted: panels.begin_deliberation(actor, pk),
    "vote": lambda actor, pk, posted: ballots.cast_vote(actor, pk, _number(posted.get("proposal"))),
    "close": lambda actor, pk, posted: ballots.close_ballot(actor, pk),
}  # fmt: skip


@desk_page
@require_POST
def act(request: HttpRequest, appeal_id: int, verb: str) -> HttpResponse:
    """One step of the case, by its button; what is refused is told on the case's page."""
    actor = actor_of(request)
    court_cases.case_for(actor, appeal_id)
    if verb not in _VERBS:
        raise NotFound
    return _done(request, actor, appeal_id, lambda: _VERBS[verb](actor, appeal_id, request.POST))


@desk_page
@require_POST
def seat(request: HttpRequest, seat_id: int, verb: str) -> HttpResponse:
    """A member steps down, is recused, or is excused with a reason."""
    actor = actor_of(request)
    appeal_id = court_cases.appeal_of_seat(seat_id)
    court_cases.case_for(actor, appeal_id)
    services = {"recuse": panels.recuse_member, "excuse": panels.excuse_member}
    if verb not in services:
        raise NotFound
    reason = request.POST.get("reason", "")
    return _done(request, actor, appeal_id, lambda: services[verb](actor, seat_id, reason=reason))


def _done(request: HttpRequest, actor: Actor, appeal_id: int, step: Callable[[], object]) -> HttpResponse:
    try:
        step()
    except DomainError as error:
        told = BadInput(str(error)) if isinstance(error, BadInput) else error
        if isinstance(error, BadInput):
            sentences = [s for said in error.values.get("fields", {}).values() for s in said]
            told = BadInput(" ".join(sentences) or error.message)
        return _page(request, actor, court_cases.case_for(actor, appeal_id), refusal=told)
    messages.success(request, _("Done."))
    return redirect("games:case", appeal_id)


@desk_page
@require_POST
def propose(request: HttpRequest, appeal_id: int) -> HttpResponse:
    """A decision put up for the vote."""
    actor = actor_of(request)
    found = court_cases.case_for(actor, appeal_id)
    form = ProposalForm(request.POST, seats=desk.numbered_choices(found.section))
    if form.is_valid():
        with refusals_at(form):
            ballots.propose_decision(
                actor, appeal_id, verdict=form.cleaned_data["verdict"], measures=form.measures(),
                text=form.cleaned_data["text"],
            )  # fmt: skip
            return redirect("games:case", appeal_id)
    return _page(request, actor, found, proposal_form=form)


@desk_page
@require_POST
def decide(request: HttpRequest, appeal_id: int) -> HttpResponse:
    """The written decision; it is carried out and told at once."""
    actor = actor_of(request)
    found = court_cases.case_for(actor, appeal_id)
    form = DecisionForm(request.POST)
    if form.is_valid():
        with refusals_at(form):
            ballots.decide_appeal(
                actor, appeal_id, reasons=form.cleaned_data["reasons"], refund=form.cleaned_data["refund"]
            )
            messages.success(request, _("The decision is made, carried out and told to both parties."))
            return redirect("games:case", appeal_id)
    return _page(request, actor, found, decision_form=form)


@desk_page
@require_safe
def case_whatif(request: HttpRequest, appeal_id: int, proposal_id: int) -> HttpResponse:
    """What a proposed decision would change; for the panel. Nothing is written."""
    actor = actor_of(request)
    found = court_cases.case_for(actor, appeal_id)
    proposal = next((p for p in court_cases.proposals_for(actor, found) if p.pk == proposal_id), None)
    if proposal is None:
        raise NotFound
    changes = court_cases.changes_of(found, proposal)
    context = event_context(request, found.event) | {"case": found, "proposal": proposal}
    if request.GET.get("part") == "pairings":
        return render(request, "games/court/_pairings.html", next_context(found.section, changes))
    context["table"] = whatif.table(found.section, changes)
    return render(request, "games/court/case_whatif.html", context)


@desk_page
@require_safe
def evidence(request: HttpRequest, evidence_id: int) -> HttpResponse:
    return served_file(court_cases.evidence_for(actor_of(request), evidence_id))


@desk_page
@require_safe
def pdf(request: HttpRequest, appeal_id: int) -> HttpResponse:
    """The appeal file on paper."""
    actor = actor_of(request)
    found = court_cases.case_for(actor, appeal_id)
    inner = court_cases.deliberates(actor, found) or found.state == Appeal.State.DECIDED
    response = HttpResponse(case_file.to_pdf(found, inner=inner), content_type="application/pdf")
    name = f"{found.event.code}-appeal-{found.number}.pdf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def relations(request: HttpRequest, event_id: int) -> HttpResponse:
    """A committee member declares family and other ties with players of the event."""
    actor = actor_of(request)
    event = selectors.event_for(actor, event_id, Act.DECLARE)
    form = RelationForm(request.POST or None, entries=_entries(event))
    if form.is_valid():
        with refusals_at(form):
            values = form.cleaned_data
            panels.declare_relation(
                actor, event_id, entry_id=values["entry"], kind=values["kind"], note=values["note"]
            )
            messages.success(request, _("Declared."))
            return redirect("games:relations", event_id)
    context = event_context(request, event) | {
        "form": form,
        "relations": court_cases.relations_of(actor, event),
    }
    return answer(request, "games/court/relations.html", context, forms=[form])


def _entries(event: Event) -> list[tuple[int, str]]:
    return [choice for section in event.sections.all() for choice in desk.numbered_choices(section)]
