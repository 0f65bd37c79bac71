"""Addresses of the court: games and sheets, the desk's pages about them."""

from django.urls import URLPattern, URLResolver, include, path

app_name = "games"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("games.web.court.urls")),
    path("", include("games.web.desk.urls")),
    path("", include("games.web.public.urls")),
]
