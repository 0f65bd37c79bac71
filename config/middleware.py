"""Small layers around every page: whose address it is asked from, which language it speaks, which code it may run."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.locale import LocaleMiddleware
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.defaults import bad_request

from tournaments.gate import one_snapshot

# Scripts and styles come from our own files only.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
# The two pages that show the API are made by others, who write styles on elements.
API_PREFIX = "/api/"
API_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


class ContentSecurityPolicy:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        policy = API_POLICY if request.path.startswith(API_PREFIX) else POLICY
        response.headers.setdefault("Content-Security-Policy", policy)
        return response


class VisitorAddress:
    """Behind PROXIES proxies of ours REMOTE_ADDR becomes what the outermost of them saw.

    Without any, what a header claims is not believed: the log and the brake on log-ins go by this address.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
        if 0 < settings.PROXIES <= len(hops) and _is_address(hops[-settings.PROXIES]):
            request.META["REMOTE_ADDR"] = hops[-settings.PROXIES]
        return self.get_response(request)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


class ChosenLanguage(LocaleMiddleware):
    """``?lang=`` decides, then the cookie of the language switch, then what the browser asks for."""

    def process_request(self, request: HttpRequest) -> None:
        asked = request.GET.get("lang", "").lower()
        if asked not in dict(settings.LANGUAGES):
            super().process_request(request)
            return
        translation.activate(asked)
        request.LANGUAGE_CODE = translation.get_language()


# What no text of the database holds: NUL, and halves of characters that a JSON text can spell.
REFUSED_TEXTS = {"22021", "22P05"}  # character_not_in_repertoire, untranslatable_character


class StorableText:
    """400, in words, for an address or an input with characters that cannot be stored; forms tell it at their fields."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path_info:
            return _not_storable(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return _not_storable(request) if _is_unstorable(error) else None


# What must answer while the database cannot.
WITHOUT_DATABASE = ("/healthz", "/readyz", "/metrics", "/language/")


class OneSnapshot:
    """A page that only reads takes all its statements from one snapshot, so that no write between two of them is half seen."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD") or _is_apart(request.path_info):
            return self.get_response(request)
        with one_snapshot():
            return self.get_response(request)


def _is_apart(path: str) -> bool:
    """Whether the address needs no snapshot: it answers without the database, its page says that reading it writes, or it is none."""
    if path.startswith(WITHOUT_DATABASE):
        return True
    try:
        return getattr(resolve(path).func, "writes_when_read", False)
    except Resolver404:
        return True


def _is_unstorable(error: Exception) -> bool:
    if isinstance(error, UnicodeEncodeError):
        return error.reason == "surrogates not allowed"
    if not isinstance(error, DataError):
        return False
    # The driver refuses NUL itself, without asking the server for a code.
    return getattr(error.__cause__, "sqlstate", "") in REFUSED_TEXTS or "NUL (0x00)" in str(error)


def _not_storable(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(API_PREFIX):
        text = _("The input holds characters that cannot be stored, such as NUL. Take them out.")
        return JsonResponse({"code": "bad-input", "message": text, "details": {}}, status=400)
    return bad_request(request, BadRequest())
