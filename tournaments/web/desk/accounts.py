"""The first account, the accounts of organizers, and one's own."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.audit import Actor
from tournaments.errors import DomainError, NotAllowed, NotFound
from tournaments.models import User
from tournaments.selectors import desk
from tournaments.services import accounts as services
from tournaments.services import events as event_services
from tournaments.services import tokens
from tournaments.services.submissions import once
from tournaments.web.desk.forms.people import AccountForm, LanguageForm, LogInForm, SetUpForm, TokenForm
from tournaments.web.http import actor_of, answer, desk_page, person, refusals_at, sent
from tournaments.web.numbers import whole_number
from tournaments.web.throttling import remember_browser

KEY_IDS = "key_%s"  # two forms stand on one page
SHARED_SECONDS = 2 * 3600


class LogIn(LoginView):
    """Log in. On a shared computer the session is short and the browser is not remembered."""

    authentication_form = LogInForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        if form.cleaned_data.get("shared"):
            self.request.session.set_expiry(SHARED_SECONDS)
        else:
            user = form.get_user()
            if isinstance(user, User):
                remember_browser(response, user)
        return response


class ChangePassword(PasswordChangeView):
    """A new password also ends what the old one opened: other sessions, the API token, known browsers."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        tokens.revoke_all(actor_of(self.request))
        return response


class ResetPassword(PasswordResetConfirmView):
    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        tokens.revoke_all(Actor(user=form.user))
        return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """The first organizer, while there is no account. Afterwards it leads to the log-in."""
    if User.objects.exists():
        return redirect("login")
    if not settings.SETUP_CODE and not _is_local(request):
        return render(request, "desk/setup.html", {"is_elsewhere": True}, status=403)
    form = SetUpForm(request.POST or None, code=settings.SETUP_CODE)
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
    form = LanguageForm(request.POST or None, initial={"language": user.language, "email": user.email})
    if form.is_valid():
        with refusals_at(form):
            services.set_language(actor_of(request), form.cleaned_data["language"])
            services.set_email(actor_of(request), form.cleaned_data["email"])
            messages.success(request, _("Saved."))
            return with_language(redirect("desk:account"), form.cleaned_data["language"])
    context = {
        "form": form,
        "token_form": TokenForm(auto_id=KEY_IDS),
        "tokens": tokens.of(user),
        "new_token": "",
    }
    return answer(request, "desk/account.html", context, forms=[form])


@desk_page
@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Make a key for programs, shown once on the answer, or revoke one."""
    if "revoke" in request.POST:
        tokens.revoke(actor_of(request), whole_number(request.POST["revoke"]) or 0)
        messages.success(request, _("The key no longer works."))
        return redirect("desk:account")
    user = person(request)
    form = TokenForm(request.POST, auto_id=KEY_IDS)
    made = ""
    if form.is_valid():
        with refusals_at(form):
            made = tokens.create(actor_of(request), **form.values())
            form = TokenForm(auto_id=KEY_IDS)
    own = LanguageForm(initial={"language": user.language, "email": user.email})
    context = {"form": own, "token_form": form, "tokens": tokens.of(user), "new_token": made}
    return answer(request, "desk/account.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def organizers(request: HttpRequest) -> HttpResponse:
    """Accounts that may make events; staff only."""
    if not person(request).is_staff:
        raise NotAllowed
    form = AccountForm(request.POST if request.method == "POST" and "act" not in request.POST else None)
    if "act" in request.POST:
        try:
            _change_account(request)
        except (NotAllowed, NotFound):
            raise
        except DomainError as error:
            messages.error(request, error.message)
        return redirect("desk:accounts")
    if form.is_valid():
        with refusals_at(form):
            made = once(
                actor_of(request),
                sent(request),
                lambda: services.create_organizer(
                    actor_of(request),
                    username=form.cleaned_data["username"],
                    password=form.cleaned_data["password"],
                    full_name=form.cleaned_data["full_name"],
                ),
            )
            messages.success(request, _("%(name)s can now log in.") % {"name": made.username})
            return redirect("desk:accounts")
    return answer(request, "desk/accounts.html", {"form": form, "people": desk.accounts()}, forms=[form])


def _change_account(request: HttpRequest) -> None:
    """Switch an account off or on, remove it, or give it a new first password, which is shown once."""
    actor, number = actor_of(request), request.POST.get("account", "")
    pk = int(number) if number.isdecimal() else 0
    match request.POST["act"]:
        case "off":
            messages.success(
                request, _("%(name)s can no longer log in.") % {"name": services.switch_off(actor, pk)}
            )
        case "on":
            messages.success(request, _("%(name)s can now log in.") % {"name": services.switch_on(actor, pk)})
        case "remove":
            name = services.remove_account(actor, pk)
            messages.success(
                request, _("%(name)s is removed. What was done stays in the log.") % {"name": name}
            )
        case "password":
            password = services.reset_password(actor, pk)
            messages.success(
                request, _("The new first password, shown this once: %(password)s") % {"password": password}
            )
        case _:
            raise NotFound


def _is_local(request: HttpRequest) -> bool:
    """Whether the visitor sits at this machine: straight, not through a proxy."""
    if settings.PROXIES or request.headers.get("X-Forwarded-For"):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR") or "").is_loopback
    except ValueError:
        return False


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
