"""Addresses of the court: games and sheets, the desk's pages about them."""

from django.urls import URLPattern, URLResolver, include, path

from games import urls_court, urls_desk, urls_public

app_name = "games"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(urls_court.urlpatterns)),
    path("", include(urls_desk.urlpatterns)),
    path("", include(urls_public.urlpatterns)),
]
