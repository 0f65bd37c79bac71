"""An empty Django view without middleware: what the server itself can do, to hold the pages against."""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

if not settings.configured:
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="none", MIDDLEWARE=[])


def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"")


urlpatterns = [path("", empty)]
application = get_wsgi_application()
