"""The first account, the accounts of organizers, and one's own."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.errors import NotAllowed
from tournaments.models import User
from tournaments.selectors import desk
from tournaments.services import accounts as services
from tournaments.services import events as event_services
from tournaments.web.desk.forms.people import AccountForm, LanguageForm, SetUpForm
from tournaments.web.http import actor_of, answer, desk_page, person, refusals_at


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """The first organizer, while there is no account. Afterwards it leads to the log-in."""
    if User.objects.exists():
        return redirect("login")
    form = SetUpForm(request.POST or None)
    if form.is_valid():
        with refusals_at(form):
            user = event_services.set_up_first_organizer(
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password"],
                full_name=form.cleaned_data["full_name"],
            )
            login(request, user)
            messages.success(request, _("Your account is made. Now make the first event."))
            return redirect("desk:home")
    return answer(request, "desk/setup.html", {"form": form}, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = LanguageForm(request.POST or None, initial={"language": user.language})
    if form.is_valid():
        with refusals_at(form):
            services.set_language(actor_of(request), form.cleaned_data["language"])
            messages.success(request, _("Saved."))
            return with_language(redirect("desk:account"), form.cleaned_data["language"])
    return answer(request, "desk/account.html", {"form": form, **_token_of(user)}, forms=[form])


@desk_page
@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Make a new API token, shown once on the answer, or revoke the present one."""
    if "revoke" in request.POST:
        services.revoke_token(actor_of(request))
        messages.success(request, _("The token no longer works."))
        return redirect("desk:account")
    made = services.create_token(actor_of(request))
    form = LanguageForm(initial={"language": person(request).language})
    return render(request, "desk/account.html", {"form": form, "has_token": True, "new_token": made})


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def organizers(request: HttpRequest) -> HttpResponse:
    """Accounts that may make events; staff only."""
    if not person(request).is_staff:
        raise NotAllowed
    form = AccountForm(request.POST or None)
    if form.is_valid():
        with refusals_at(form):
            made = services.create_organizer(
                actor_of(request),
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password"],
                full_name=form.cleaned_data["full_name"],
            )
            messages.success(request, _("%(name)s can now log in.") % {"name": made.username})
            return redirect("desk:accounts")
    return answer(request, "desk/accounts.html", {"form": form, "people": desk.organizers()}, forms=[form])


def with_language(response: HttpResponse, language: str) -> HttpResponse:
    """The answer in the language a person chose, kept for the next ones; "" leaves it to the browser."""
    if not language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return response
    translation.activate(language)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )
    return response


def _token_of(user: User) -> dict[str, object]:
    return {"has_token": services.has_token(user), "new_token": ""}
