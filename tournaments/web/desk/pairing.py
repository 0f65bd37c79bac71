"""Pairing a round: the job and its progress, the draft and the hand changes to it, publishing, and the ways back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournaments.errors import DomainError, NotFound
from tournaments.models import Job, Round, Section
from tournaments.permissions import Action
from tournaments.selectors import desk, drafts, proof, readiness
from tournaments.selectors.draft_checks import Warning
from tournaments.selectors.open_cases import open_cases
from tournaments.selectors.readiness import Before
from tournaments.services import by_hand, relaxing
from tournaments.services import draft as changes
from tournaments.services import rounds as services
from tournaments.services.submissions import once
from tournaments.web.desk.forms.events import ReasonForm
from tournaments.web.desk.forms.rounds import (
    ByeForm,
    DraftChangeForm,
    FlipForm,
    ForbidForm,
    SetBoardForm,
    SwapForm,
)
from tournaments.web.desk.rounds import round_context
from tournaments.web.desk.sections import section_context, section_page
from tournaments.web.http import actor_of, answer, desk_page, refusals_at, sent
from tournaments.web.numbers import whole_number
from tournaments.wording.sections import acceleration

WAITS_LONG = timedelta(seconds=30)
CHANGE_FORMS: dict[str, type[DraftChangeForm]] = {
    "swap": SwapForm,
    "set": SetBoardForm,
    "bye": ByeForm,
    "flip": FlipForm,
}


@desk_page
@require_POST
def pair(request: HttpRequest, section_id: int) -> HttpResponse:
    """Ask for the next draft and go to where its progress is shown. `again` throws the present draft away.

    `by_hand` lays out a draft to change by hand, without the engine.
    """
    section = desk.section_for(actor_of(request), section_id, Action.PAIR)
    try:
        if "by_hand" in request.POST:
            made = by_hand.draft_by_hand(actor_of(request), section_id, reason=request.POST.get("reason", ""))
            return redirect("desk:draft", section_id, made.number)
        asked = services.request_pairing(actor_of(request), section_id, again="again" in request.POST)
    except DomainError as error:
        return section_page(request, section, refusal=error)
    for said in open_cases(section):
        messages.warning(request, said)
    return redirect("desk:job", asked.pk)


@desk_page
@require_safe
def job(request: HttpRequest, job_id: int) -> HttpResponse:
    """The progress of a job; when it is done, on to what it made."""
    found = desk.job_for(actor_of(request), job_id)
    if found.state == Job.State.DONE:
        address = _result_of(found)
        if request.htmx:  # type: ignore[attr-defined]
            return HttpResponseClientRedirect(address)
        return redirect(address)
    context = section_context(request, found.section, tab="overview")
    context |= {
        "job": found,
        "failure": drafts.refusal_of(found) if found.state == Job.State.FAILED else "",
        "relax": drafts.relaxations_of(found),
        "stuck": found.state == Job.State.QUEUED and timezone.now() - found.created_at > WAITS_LONG,
    }
    part = request.htmx and not request.htmx.boosted  # type: ignore[attr-defined]
    return render(request, "desk/_job.html" if part else "desk/job.html", context)


@desk_page
@require_POST
def relax(request: HttpRequest, section_id: int) -> HttpResponse:
    """Give up one rule that stood in the way of a pairing, and pair again at once."""
    section = desk.section_for(actor_of(request), section_id, Action.PAIR)
    given = {name: _whole(request.POST.get(name, "")) for name in ("pair", "bye")}
    try:
        asked = relaxing.relax_and_pair(
            actor_of(request), section_id, clubs="clubs" in request.POST, pair=given["pair"], bye=given["bye"]
        )
    except DomainError as error:
        return section_page(request, section, refusal=error)
    return redirect("desk:job", asked.pk)


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _result_of(found: Job) -> str:
    if found.kind == Job.Kind.PAIR and found.round_number:
        round_ = found.section.rounds.filter(number=found.round_number, state=Round.State.PAIRED).first()
        if round_ is not None:
            return reverse("desk:draft", args=[found.section_id, round_.number])
    return reverse("desk:section", args=[found.section_id])


@desk_page
@require_safe
def draft(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    round_ = desk.draft_for(actor_of(request), section_id, number)
    if round_.is_public:
        return redirect("desk:round", section_id, number)
    return _draft_page(request, round_)


@desk_page
@require_safe
def why_not(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Why two players do not meet in a round, and what their pair would cost."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    first, second = (_whole(request.GET.get(name, "")) for name in ("first", "second"))
    context = round_context(request, round_) | {
        "players": sorted(proof.names_of(round_).items()),
        "answer": None,
        "asked": {"first": first, "second": second},
        "has_input": proof.has_input(round_),
    }
    refusal = None
    if first is not None and second is not None:
        try:
            context["answer"] = proof.ask(round_, first=first, second=second)
        except DomainError as error:
            refusal = error
    return answer(request, "desk/why_not.html", context, refusal=refusal)


@desk_page
@require_POST
def change(request: HttpRequest, section_id: int, number: int, verb: str) -> HttpResponse:
    """One hand change: swap two players, set a board, give the bye, flip the colours of a board."""
    round_ = desk.draft_for(actor_of(request), section_id, number, Action.PAIR)
    kind = CHANGE_FORMS.get(verb)
    if kind is None:
        raise NotFound
    form = kind(request.POST, players=desk.seated_choices(round_), auto_id=f"{verb}_%s")
    if form.is_valid():
        with refusals_at(form):
            warnings = _apply(request, round_, verb, form.cleaned_data)
            _tell_warnings(request, warnings)
            return redirect("desk:draft", section_id, number)
    return _draft_page(request, round_, opened=verb, form=form)


def _apply(request: HttpRequest, round_: Round, verb: str, values: dict[str, Any]) -> list[Warning]:
    actor = actor_of(request)
    version = whole_number(request.POST.get("version", ""))
    common: dict[str, Any] = {
        "version": -1 if version is None else version,
        "reason": values["reason"],
    }
    if verb == "swap":
        return changes.swap(actor, round_.pk, first=values["first"], second=values["second"], **common)
    if verb == "bye":
        return changes.give_bye(actor, round_.pk, entry=values["entry"], **common)
    if verb == "flip":
        white, black = desk.opponents_reversed(round_, values["entry"])
        return changes.set_board(actor, round_.pk, white=white, black=black, **common)
    return changes.set_board(actor, round_.pk, white=values["white"], black=values["black"], **common)


def _tell_warnings(request: HttpRequest, warnings: list[Warning]) -> None:
    if not warnings:
        messages.success(request, _("The draft is changed."))
        return
    text = ngettext(
        "The draft is changed. It now has %(count)s warning.",
        "The draft is changed. It now has %(count)s warnings.",
        len(warnings),
    )
    messages.warning(request, text % {"count": len(warnings)})


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Says what becomes public, then does it."""
    round_ = desk.draft_for(actor_of(request), section_id, number, Action.PUBLISH)
    refusal = None
    if request.method == "POST":
        try:
            services.publish_round(actor_of(request), round_.pk)
            messages.success(request, _("Round %(round)s is public.") % {"round": number})
            return redirect("desk:round", section_id, number)
        except DomainError as error:
            refusal = error
    context = round_context(request, round_) | {"draft": drafts.load(round_)}
    context["open_cases"] = open_cases(round_.section)
    context["points"] = readiness.points(round_.section, Before.PUBLISHING, round_=round_)
    return answer(request, "desk/publish.html", context, refusal=refusal)


@desk_page
@require_POST
def publish_all(request: HttpRequest, section_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id, Action.PUBLISH)
    try:
        done = services.publish_all_rounds(actor_of(request), section_id)
    except DomainError as error:
        return section_page(request, section, refusal=error)
    for said in open_cases(section):
        messages.warning(request, said)
    text = ngettext("%(count)s round is public.", "%(count)s rounds are public.", len(done))
    messages.success(request, text % {"count": len(done)})
    return redirect("desk:section", section_id)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def unpublish(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    round_ = desk.draft_for(actor_of(request), section_id, number, Action.PUBLISH)
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        with refusals_at(form):
            services.unpublish_round(actor_of(request), round_.pk, reason=form.cleaned_data["reason"])
            messages.success(request, _("Round %(round)s is a draft again.") % {"round": number})
            return redirect("desk:draft", section_id, number)
    context = round_context(request, round_) | {"form": form, "later": desk.later_drafts(round_)}
    return answer(request, "desk/unpublish.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def discard(request: HttpRequest, section_id: int) -> HttpResponse:
    """Says what is lost, then throws the draft away; `again` asks for a new one at once."""
    section = desk.section_for(actor_of(request), section_id, Action.PAIR)
    refusal = None
    if request.method == "POST":
        try:
            services.discard_draft(actor_of(request), section_id)
            messages.success(request, _("The draft is thrown away."))
            return redirect("desk:section", section_id)
        except DomainError as error:
            refusal = error
    waiting = [r.round for r in desk.rounds(section) if r.round.state == Round.State.PAIRED]
    context = section_context(request, section, tab="overview")
    context |= {"drafts": waiting, "edits": sum(len(round_.edits) for round_ in waiting)}
    return answer(request, "desk/discard.html", context, refusal=refusal)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def forbidden(request: HttpRequest, section_id: int) -> HttpResponse:
    """The pairs that never meet, and one more."""
    action = Action.PAIR if request.method == "POST" else Action.VIEW_DESK
    section = desk.section_for(actor_of(request), section_id, action)
    form = ForbidForm(request.POST or None, players=desk.numbered_choices(section))
    if form.is_valid():
        with refusals_at(form):
            once(
                actor_of(request),
                sent(request),
                lambda: changes.forbid_pair(actor_of(request), section_id, **form.cleaned_data),
            )
            messages.success(request, _("These two will not meet. A draft that pairs them stays as it is."))
            return redirect("desk:forbidden", section_id)
    return _forbidden_page(request, section, form)


def _forbidden_page(
    request: HttpRequest, section: Section, form: ForbidForm, *, refusal: DomainError | None = None
) -> HttpResponse:
    context = section_context(request, section, tab="overview")
    context |= {"form": form, "pairs": desk.forbidden_pairs(section)}
    return answer(request, "desk/forbidden.html", context, forms=[form], refusal=refusal)


@desk_page
@require_POST
def allow(request: HttpRequest, pair_id: int) -> HttpResponse:
    section_id = desk.section_of_pair(pair_id)
    if section_id is None:
        raise NotFound
    section = desk.section_for(actor_of(request), section_id, Action.PAIR)
    try:
        changes.allow_pair(actor_of(request), pair_id)
    except DomainError as error:
        form = ForbidForm(players=desk.numbered_choices(section))
        return _forbidden_page(request, section, form, refusal=error)
    messages.success(request, _("These two may meet again."))
    return redirect("desk:forbidden", section_id)


def _draft_page(
    request: HttpRequest, round_: Round, *, opened: str = "", form: DraftChangeForm | None = None
) -> HttpResponse:
    players = desk.seated_choices(round_)
    forms = {verb: kind(players=players, auto_id=f"{verb}_%s") for verb, kind in CHANGE_FORMS.items()}
    if form is not None:
        forms[opened] = form
    context = round_context(request, round_) | {
        "draft": drafts.load(round_),
        "accelerated": acceleration(round_.section, round_.number),
        "forms": forms,
        "opened": opened,
    }
    return answer(request, "desk/draft.html", context, forms=list(forms.values()))
