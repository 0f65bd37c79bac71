"""The entry list: entering, correcting, withdrawing, announced absences, personal links."""

from __future__ import annotations

from typing import Any

import segno
from django.conf import settings
from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import formats
from tournaments.errors import DomainError, NotFound
from tournaments.models import Entry, Section, last_drafted
from tournaments.permissions import Action
from tournaments.selectors import desk
from tournaments.selectors.check_in import next_round
from tournaments.services import entries as services
from tournaments.services.submissions import once
from tournaments.web.desk.forms.entries import AbsenceForm, EntryForm, WithdrawForm
from tournaments.web.desk.sections import section_context
from tournaments.web.http import actor_of, answer, desk_page, reason_of, refusals_at, sent
from tournaments.web.numbers import whole_number


@desk_page
@require_safe
def entry_list(request: HttpRequest, section_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id)
    rows = desk.entries(section)
    numbered = any(entry.number for entry in rows)
    by_lot = section.numbering == Section.Numbering.LOT
    context = section_context(request, section, tab="entries") | {
        # Before round 1 is paired: in the order in which numbers will be given, unless the lot decides.
        "entries": rows if numbered or by_lot else services.starting_order(section, rows),
        "expected": not numbered and not by_lot,
        "by_lot": not numbered and by_lot,
    }
    return render(request, "desk/entries.html", context)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, section_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id, Action.EDIT_ENTRIES)
    form = EntryForm(request.POST or None)
    if form.is_valid():
        with refusals_at(form):
            made = once(
                actor_of(request),
                sent(request),
                lambda: services.add_entry(actor_of(request), section_id, form.values()),
            )
            messages.success(request, _("%(name)s is entered.") % {"name": made})
            again = "again" in request.POST
            return redirect("desk:entry_new" if again else "desk:entries", section_id)
    context = section_context(request, section, tab="entries")
    context |= {"form": form, "last": last_drafted(section)}
    return answer(request, "desk/entry_new.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id)
    if request.method != "POST":
        return _entry_page(request, found)
    form = EntryForm(request.POST, entry=desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES))
    if form.is_valid():
        with refusals_at(form):
            services.update_entry(actor_of(request), entry_id, form.changed_values())
            messages.success(request, _("Saved."))
            return redirect("desk:entries", found.section_id)
    return _entry_page(request, found, form=form)


@desk_page
@require_POST
def withdraw(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    form = WithdrawForm(request.POST)
    if form.is_valid():
        with refusals_at(form):
            services.withdraw_entry(actor_of(request), entry_id, **form.cleaned_data)
            messages.success(request, _("%(name)s is withdrawn.") % {"name": found})
            return redirect("desk:entry", entry_id)
    return _entry_page(request, found, withdraw=form)


@desk_page
@require_POST
def come_back(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    try:
        services.return_entry(actor_of(request), entry_id, reason=reason_of(request))
    except DomainError as error:
        return _entry_page(request, found, refusal=error)
    messages.success(request, _("%(name)s plays again.") % {"name": found})
    return redirect("desk:entry", entry_id)


@desk_page
@require_POST
def renew_link(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    try:
        member = whole_number(request.POST["member"]) if "member" in request.POST else None
        if member is None and "member" in request.POST:
            raise NotFound
        services.renew_link(actor_of(request), entry_id, member_id=member)
    except DomainError as error:
        return _entry_page(request, found, refusal=error)
    messages.success(request, _("The link is new; the one before no longer works."))
    return redirect("desk:entry", entry_id)


@desk_page
@require_POST
def absence(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    form = AbsenceForm(request.POST)
    if form.is_valid():
        with refusals_at(form):
            services.announce_absence(actor_of(request), entry_id, **form.cleaned_data)
            messages.success(request, _("The absence is noted."))
            return redirect("desk:entry", entry_id)
    return _entry_page(request, found, absence=form)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def absence_table(request: HttpRequest, section_id: int) -> HttpResponse:
    """Players by rounds to come: who is away when, saved at once."""
    section = desk.section_for(actor_of(request), section_id)
    refusal: DomainError | None = None
    if request.method == "POST":
        desk.section_for(actor_of(request), section_id, Action.EDIT_ENTRIES)
        try:
            count = services.set_absences(actor_of(request), section_id, _wanted_absences(request))
        except DomainError as error:
            refusal = error
        else:
            text = ngettext("%(count)s absence is changed.", "%(count)s absences are changed.", count)
            messages.success(request, text % {"count": count})
            return redirect("desk:absence_table", section_id)
    first = next_round(section) or section.rounds_total + 1
    rounds = list(range(first, section.rounds_total + 1))
    refused = formats.of(section).absence()
    rows = [
        (entry, [(number, away.get(number, "")) for number in rounds])
        for entry in desk.entries(section)
        if entry.status == Entry.Status.ACTIVE
        for away in ({a.round_number: a.kind for a in entry.absences.all()},)
    ]
    context = section_context(request, section, tab="entries") | {
        "rows": rows if rounds and refused is None else [],
        "numbers": rounds,
        "refused": refused,
        "kinds": AbsenceForm.base_fields["kind"].choices,  # type: ignore[attr-defined]
    }
    return answer(request, "desk/absence_table.html", context, refusal=refusal)


def _wanted_absences(request: HttpRequest) -> dict[tuple[int, int], str]:
    """The cells that were sent, each "a-ENTRY-ROUND"."""
    found = {}
    for name, kind in request.POST.items():
        parts = name.split("-")
        if len(parts) == 3 and parts[0] == "a":
            entry_id, number = whole_number(parts[1]), whole_number(parts[2])
            if entry_id is None or number is None:
                raise NotFound
            found[entry_id, number] = str(kind)
    return found


@desk_page
@require_POST
def cancel_absence(request: HttpRequest, absence_id: int) -> HttpResponse:
    entry_id = desk.entry_of_absence(absence_id)
    if entry_id is None:
        raise NotFound
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    try:
        services.cancel_absence(actor_of(request), absence_id)
    except DomainError as error:
        return _entry_page(request, found, refusal=error)
    messages.success(request, _("The absence is taken back."))
    return redirect("desk:entry", entry_id)


@desk_page
@require_POST
def remove(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    try:
        services.remove_entry(actor_of(request), entry_id)
    except DomainError as error:
        return _entry_page(request, found, refusal=error)
    messages.success(request, _("%(name)s is removed from the list.") % {"name": found})
    return redirect("desk:entries", found.section_id)


@desk_page
@require_safe
def links(request: HttpRequest, section_id: int) -> HttpResponse:
    """Every entry's personal link with its code to scan, for printing and cutting."""
    section = desk.section_for(actor_of(request), section_id, Action.EDIT_ENTRIES)
    found = desk.entries(section)
    if formats.of(section).enters_teams:
        prefetch_related_objects(found, "members")
    rows = [
        (holder, entry, *_link(request, holder.link))
        for entry in found
        for holder in (entry, *(entry.members.all() if formats.of(section).enters_teams else ()))
    ]
    context = section_context(request, section, tab="entries")
    return render(request, "desk/links.html", {**context, "rows": rows})


def _entry_page(
    request: HttpRequest,
    found: Entry,
    *,
    form: EntryForm | None = None,
    withdraw: WithdrawForm | None = None,
    absence: AbsenceForm | None = None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    last = last_drafted(found.section)
    form = form or EntryForm(entry=desk.entry_for(actor_of(request), found.pk))
    withdraw = withdraw or WithdrawForm(initial={"after_round": last})
    absence = absence or AbsenceForm(initial={"round_number": min(last + 1, found.section.rounds_total)})
    context: dict[str, Any] = section_context(request, found.section, tab="entries")
    context |= {
        "entry": found,
        "form": form,
        "withdraw_form": withdraw,
        "absence_form": absence,
        "absences": found.absences.order_by("round_number"),
        "was_paired": desk.was_paired(found),
    }
    if context["can"]["edit_entries"]:
        context["address"], context["qr"] = _link(request, found.link)
        context["member_links"] = [
            (member, *_link(request, member.link))
            for member in (found.members.all() if formats.of(found.section).enters_teams else ())
        ]
    return answer(request, "desk/entry.html", context, forms=[form, withdraw, absence], refusal=refusal)


def _link(request: HttpRequest, link: str) -> tuple[str, SafeString]:
    """The address of the player's own page and its code to scan."""
    root = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
    address = root + reverse("public:my", args=[link])
    # segno writes the picture from its own matrix: nothing of the address stands in it as text.
    return address, mark_safe(segno.make(address, error="m").svg_inline(scale=3, border=2, omitsize=True))
