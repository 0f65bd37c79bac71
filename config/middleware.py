"""Two small layers around every page: which language it speaks and which code it may run."""

from collections.abc import Callable

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


class ChosenLanguage(LocaleMiddleware):
    """``?lang=`` decides, then the cookie of the language switch, then what the browser asks for."""

    def process_request(self, request: HttpRequest) -> None:
        asked = request.GET.get("lang", "").lower()
        if asked not in dict(settings.LANGUAGES):
            super().process_request(request)
            return
        translation.activate(asked)
        request.LANGUAGE_CODE = translation.get_language()
