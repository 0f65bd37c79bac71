"""The standings at the desk: the present table, points by rulings, the way to the final table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Section, last_public
from tournaments.permissions import Action
from tournaments.selectors import desk, public, tables
from tournaments.selectors.tables import Edition, Table
from tournaments.services import events as event_services
from tournaments.services import results as services
from tournaments.services.submissions import once
from tournaments.web.desk.forms.rounds import AdjustmentForm
from tournaments.web.desk.sections import section_context
from tournaments.web.http import actor_of, answer, desk_page, refusals_at, sent
from tournaments.web.numbers import whole_number


@desk_page
@require_safe
def standings(request: HttpRequest, section_id: int) -> HttpResponse:
    return _page(request, desk.section_for(actor_of(request), section_id))


@desk_page
@require_POST
def adjust(request: HttpRequest, section_id: int) -> HttpResponse:
    """Points given or taken by a ruling; the chief arbiter's."""
    section = desk.section_for(actor_of(request), section_id, Action.ADJUST_SCORES)
    form = AdjustmentForm(request.POST, players=desk.numbered_choices(section))
    if form.is_valid():
        values = form.cleaned_data
        with refusals_at(form):
            once(
                actor_of(request),
                sent(request),
                lambda: services.adjust_score(
                    actor_of(request), values["entry"], points=values["points"],
                    after_round=values["after_round"], reason=values["reason"],
                ),
            )  # fmt: skip
            messages.success(request, _("The ruling stands in the table as a line of its own."))
            return redirect("desk:standings", section_id)
    return _page(request, section, form=form)


def asked_table(request: HttpRequest, section: Section, editions: list[Edition]) -> Table | None:
    """The table after the round that `?round=` names, else the one the public pages show."""
    book = public.ledger(section)
    asked = whole_number(request.GET.get("round", ""))
    named = next((edition for edition in editions if edition.after_round == asked), None)
    shown = named or tables.chosen(editions, after=None, standing_round=book.standing_round)
    return tables.table(shown, book) if shown else None


def _page(request: HttpRequest, section: Section, *, form: AdjustmentForm | None = None) -> HttpResponse:
    with tables.one_moment():  # a refused form shows the table, too
        return _rendered(request, section, form)


def _rendered(request: HttpRequest, section: Section, form: AdjustmentForm | None) -> HttpResponse:
    editions = tables.editions(section)
    form = form or AdjustmentForm(
        players=desk.numbered_choices(section), initial={"after_round": last_public(section)}
    )
    context = section_context(request, section, tab="standings") | {
        "editions": editions,
        "table": asked_table(request, section, editions),
        "computing": desk.is_computing(section),
        "adjustments": desk.adjustments(section),
        "missing": event_services.missing_results(section),
        "form": form,
    }
    return answer(request, "desk/standings.html", context, forms=[form])
