from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tournaments.urls_desk")),
    path("", include("tournaments.urls_downloads")),
    path("", include("tournaments.urls_public")),
]
