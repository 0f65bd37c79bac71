"""Entering results: a whole form, or board by board. Blank never overwrites, and a stale form is told, not obeyed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import formats
from tournaments.errors import DomainError, NotFound, WrongState
from tournaments.models import Round
from tournaments.permissions import Action
from tournaments.selectors import desk, repairs
from tournaments.selectors import grid as selectors
from tournaments.selectors.grid import Choice, ResultRow
from tournaments.services import results as services
from tournaments.services.results import Line, StaleResult
from tournaments.web.desk.rounds import round_context
from tournaments.web.http import actor_of, answer, desk_page, reason_of

CLEAR = "UNPLAYED"
ASKS_REASON = {"reason-needed", "against-games"}  # refusals that a reason may lift


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def grid(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    actor = actor_of(request)
    action = Action.ENTER_RESULTS if request.method == "POST" else Action.VIEW_DESK
    round_ = desk.round_for(actor, section_id, number, action)
    if not round_.is_public:
        return answer(
            request, "desk/results_closed.html", round_context(request, round_), refusal=_not_public(round_)
        )
    rows = selectors.rows(round_)
    if request.method != "POST":
        return _grid_page(request, round_, rows)
    typed = [_typed(row, request.POST) for row in rows]
    lines = [_line(row, request.POST) for row in typed if row.chosen != row.was]
    waiting = [row for row in typed if _needs_yes(row, request.POST)]
    if waiting:
        boards = ", ".join(str(row.pairing.board) for row in waiting)
        error: DomainError = WrongState(
            _("Nothing is saved yet: confirm what is overwritten on board %(boards)s, then save again."),
            code="confirm", boards=boards,
        )  # fmt: skip
        return _grid_page(request, round_, [_asked(row, waiting) for row in typed], refusal=error)
    try:
        services.record_outcomes(actor, section_id, lines, reason=reason_of(request))
    except DomainError as error:
        return _grid_page(request, round_, _with_stale(typed, error, round_), refusal=error)
    text = ngettext("%(count)s result is saved.", "%(count)s results are saved.", len(lines))
    messages.success(request, text % {"count": len(lines)})
    return redirect(request.get_full_path())


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def row(request: HttpRequest, pairing_id: int) -> HttpResponse:
    """One board, as the grid's script sends it: answers the board's row, with what became of it."""
    actor = actor_of(request)
    action = Action.ENTER_RESULTS if request.method == "POST" else Action.VIEW_DESK
    round_ = desk.pairing_for(actor, pairing_id, action).round
    found = selectors.row(pairing_id, round_) if round_.is_public else None
    if found is None:
        raise NotFound
    if request.method != "POST":
        return _row_part(request, round_, found)
    typed = _typed(found, request.POST)
    if _needs_yes(typed, request.POST) and not _is_stale(typed, request.POST):
        return _row_part(request, round_, _asked(typed, [typed]), status=409)
    try:
        if typed.chosen != typed.was or _is_stale(typed, request.POST):
            line = _line(typed, request.POST)
            services.record_outcomes(actor, round_.section_id, [line], reason=reason_of(request))
    except DomainError as error:
        marked = _with_stale([typed], error, round_)[0]
        if marked.mark != "stale":
            marked = marked.marked(
                mark="reason" if error.code in ASKS_REASON else "failed", note=error.message
            )
        return _row_part(request, round_, marked, status=error.status)
    saved = selectors.row(pairing_id, round_)
    assert saved is not None  # a public round keeps its boards
    return _row_part(request, round_, saved.marked(mark="saved", note=_saved_note(round_, pairing_id)))


@desk_page
@require_safe
def changes(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """The last changes and how many results are missing, for the grid's script."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    return render(request, "desk/_changes.html", _changes_context(request, round_))


@desk_page
@require_POST
def undo(request: HttpRequest, pairing_id: int) -> HttpResponse:
    """Back to what the result was before an entry of the log, unless the board moved on since."""
    actor = actor_of(request)
    pairing = desk.pairing_for(actor, pairing_id, Action.ENTER_RESULTS)
    logged = selectors.change_for(pairing, _whole(request.POST.get("change")))
    if logged is None:
        raise NotFound
    before = selectors.value_before(logged)
    round_ = pairing.round
    reason = reason_of(request) or (_("undone") if round_.state == Round.State.PUBLISHED else "")
    try:
        services.record_outcome(
            actor, pairing_id, outcome=before.outcome, grade=before.grade, reason=reason,
            version=_whole(request.POST.get("version")),
        )  # fmt: skip
    except DomainError as error:
        return _grid_page(request, round_, selectors.rows(round_), refusal=error)
    messages.success(request, _("Board %(board)s is as it was before.") % {"board": pairing.board})
    return redirect("desk:results", round_.section_id, round_.number)


def _grid_page(
    request: HttpRequest, round_: Round, rows: list[ResultRow], *, refusal: DomainError | None = None
) -> HttpResponse:
    only_missing = request.GET.get("show") == "missing"
    shown = [r for r in rows if not only_missing or not r.has_result or r.chosen != r.was or r.mark]
    context = round_context(request, round_) | _changes_context(request, round_)
    context |= {
        "rows": shown,
        "only_missing": only_missing,
        "byes": selectors.byes(round_),
        "reason": reason_of(request),
        "reason_missing": refusal is not None and refusal.code == "reason-needed",
    }
    return answer(request, "desk/results.html", context, refusal=refusal)


def _row_part(request: HttpRequest, round_: Round, found: ResultRow, *, status: int = 200) -> HttpResponse:
    context = {"row": found, "round": round_, "section": round_.section}
    return render(request, "desk/_result_row.html", context, status=status)


def _saved_note(round_: Round, pairing_id: int) -> str:
    """With what the change leaves to settle in a bracket, which the page around the row does not show yet."""
    told = repairs.about(round_.section, pairing_id) if round_.state == Round.State.CLOSED else []
    return " ".join([_("saved"), *(f"{each.text} {each.help}" for each in told)])


def _changes_context(request: HttpRequest, round_: Round) -> dict[str, Any]:
    boards = round_.pairings.filter(black__isnull=False)
    missing = boards.filter(outcome=CLEAR).count()
    return {
        "round": round_,
        "section": round_.section,
        "changes": selectors.changes(round_),
        "missing": missing,
        "boards": boards.count(),
        "needs_reason": round_.state == Round.State.CLOSED,
        "has_games": formats.of(round_.section).enters_teams
        or formats.match_rule(round_.section) is not None,
    }


def _typed(row: ResultRow, posted: Mapping[str, Any]) -> ResultRow:
    """The row with what was chosen on it. Nothing chosen, or what the page already showed, is no change."""
    pk = row.pairing.pk
    value, shown = posted.get(f"outcome-{pk}"), posted.get(f"was-{pk}", "")
    if not value or value == shown:
        return row
    return row.marked(mark="", chosen="" if value == CLEAR else value)


def _line(row: ResultRow, posted: Mapping[str, Any]) -> Line:
    choice = Choice(value=row.chosen or CLEAR, label="")
    version = _whole(posted.get(f"version-{row.pairing.pk}"))
    return Line(pairing=row.pairing.pk, outcome=choice.outcome, grade=choice.grade, version=version)


def _is_stale(row: ResultRow, posted: Mapping[str, Any]) -> bool:
    return _whole(posted.get(f"version-{row.pairing.pk}")) != row.pairing.version


def _needs_yes(row: ResultRow, posted: Mapping[str, Any]) -> bool:
    """Overwriting and clearing ask first; a stale row is refused anyway."""
    changed = row.has_result and row.chosen != row.was
    return changed and not posted.get(f"confirm-{row.pairing.pk}") and not _is_stale(row, posted)


def _asked(row: ResultRow, waiting: Iterable[ResultRow]) -> ResultRow:
    if row not in waiting:
        return row
    if not row.chosen:
        note = _("Take back “%(was)s”?") % {"was": selectors.label_of(row.was)}
    else:
        note = _("Replace “%(was)s” by “%(new)s”?") % {
            "was": selectors.label_of(row.was),
            "new": selectors.label_of(row.chosen),
        }
    return row.marked(mark="confirm", note=note)


def _with_stale(rows: list[ResultRow], error: DomainError, round_: Round) -> list[ResultRow]:
    """The rows that another person changed meanwhile, fresh from the ledger, with what stands there now and what was typed."""
    if not isinstance(error, StaleResult):
        return rows
    stale = {board["pairing"] for board in error.values["boards"]}
    fresh = {row.pairing.pk: row for row in selectors.rows(round_)}
    return [_stale(row, fresh[row.pairing.pk]) if row.pairing.pk in stale else row for row in rows]


def _stale(typed: ResultRow, fresh: ResultRow) -> ResultRow:
    note = _("Meanwhile “%(theirs)s” was entered here; yours, “%(yours)s”, is not saved.") % {
        "theirs": selectors.label_of(fresh.was),
        "yours": selectors.label_of(typed.chosen),
    }
    return fresh.marked(mark="stale", note=note)


def _not_public(round_: Round) -> DomainError:
    return WrongState(_("Round %(round)s is not published yet."), round=round_.number)


def _whole(text: Any) -> int:
    """A version or a key from a form; what is none fits nothing."""
    try:
        return int(text)
    except (TypeError, ValueError):
        return -1
