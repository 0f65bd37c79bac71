"""What search engines and phones ask of a site: where they may look, what there is to find, how it is installed."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_safe

from tournaments.exports import preview as pictures
from tournaments.exports.shelf import Shelf
from tournaments.models import Event
from tournaments.selectors import public
from tournaments.templatetags.page import site_name
from tournaments.web.caching import respond
from tournaments.web.http import require_visible

CLOSED = ("/desk/", "/my/", "/admin/", "/accounts/", "/api/")
PAPER, BOARD = "#f5f6f3", "#14382d"
_SHELF = Shelf(size=32)


def base_address(request: HttpRequest) -> str:
    return settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    rules = "\n".join(f"Disallow: {path}" for path in CLOSED)
    text = f"User-agent: *\n{rules}\nSitemap: {base_address(request)}{reverse('public:sitemap')}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Home, every public event and its sections, in each language. Two queries."""
    paths = [reverse("public:home")]
    for event in public.events():
        paths.append(reverse("public:event", args=[event.code]))
        paths += [
            reverse("public:section", args=[event.code, section.code]) for section in event.sections.all()
        ]
    base = base_address(request)
    addresses = [(f"{base}{path}?lang={code}",) for path in paths for code, _name in settings.LANGUAGES]
    body = format_html(
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>\n',
        format_html_join("", "<url><loc>{}</loc></url>", addresses),
    )
    return HttpResponse(body, content_type="application/xml; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """For a phone that puts the site beside its apps."""
    name = site_name()
    icon = {"src": static("tournaments/mark.svg"), "sizes": "any", "type": "image/svg+xml"}
    values = {
        "name": name, "short_name": name, "start_url": "/", "display": "standalone",
        "background_color": PAPER, "theme_color": BOARD, "icons": [icon],
    }  # fmt: skip
    return JsonResponse(values, content_type="application/manifest+json")


@require_safe
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """The picture beside a shared link."""
    found = require_visible(request, public.event_by_code(code))
    parts = [
        found.name,
        found.name_en,
        found.place,
        str(found.starts_on),
        str(found.ends_on),
        settings.SITE_NAME,
    ]

    def file() -> HttpResponse:
        return HttpResponse(
            _SHELF.get(repr(parts), lambda: pictures.preview(found)), content_type=pictures.PNG_TYPE
        )

    return respond(request, parts=parts, render=file, private=found.state == Event.State.DRAFT)
