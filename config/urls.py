"""Every address of the site; the apps bring their own."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config.metrics import metrics
from config.views import healthz, parts, readyz, switch_language
from tournaments.web.api.document_schema import document_schema
from tournaments.web.desk.accounts import ChangePassword, LogIn, ResetPassword

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("parts/", parts, name="parts"),
    path("language/", switch_language, name="set_language"),
    path("accounts/login/", LogIn.as_view(), name="login"),
    path("accounts/password_change/", ChangePassword.as_view(), name="password_change"),
    path("accounts/reset/<uidb64>/<token>/", ResetPassword.as_view(), name="password_reset_confirm"),
    path("accounts/", include("django.contrib.auth.urls")),
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/schema/event-document.json", document_schema, name="document-schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("api/v1/", include("tournaments.web.api.urls")),
    path("api/v1/", include("games.web.api.urls")),
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "config.failures.bad_request"
handler403 = "config.failures.permission_denied"
handler404 = "config.failures.not_found"
handler500 = "config.failures.server_error"
