"""Small layers around every page: whose address it is asked from, which language it speaks, which code it may run."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

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
