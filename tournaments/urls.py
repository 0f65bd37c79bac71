from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tournaments.web.desk.urls")),
    path("", include("tournaments.web.public.urls_downloads")),
    path("", include("tournaments.web.public.urls")),
]
