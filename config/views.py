"""Pages about the site itself: is it healthy, and which language does it speak."""

from typing import cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST, require_safe
from django.views.i18n import set_language

from config import health


@require_GET
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when every part is up; else 503, naming what is not."""
    return _states(health.check())


@require_GET
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 while this process can answer visitors: for a balancer, which has no use for the state of the workers."""
    return _states(health.check_ready())


def _states(parts: dict[str, str]) -> JsonResponse:
    down = sorted(name for name, state in parts.items() if state != health.UP)
    return JsonResponse({"ok": not down, "down": down, "parts": parts}, status=503 if down else 200)


# Choosing a language changes nothing but the visitor's own cookie, so the switch needs no token, and a page
# that shows it sets no cookie.
switch_language = require_POST(csrf_exempt(cast("type[HttpResponseBase]", set_language)))

ICONS = (
    "search filter back next down up fall same print file get cal clock place qr star ok bad lock spin wait gavel bell user "
    "users cup board list undo keys screen more sun link info swap"
).split()


@require_safe
def parts(request: HttpRequest) -> HttpResponse:
    """Every part that pages are made of, on one page, for whoever builds one."""
    return render(request, "parts.html", {"icons": ICONS})
