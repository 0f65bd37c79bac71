"""Settings of the test suite: a throw-away database that trades safety for speed, and no real broker."""

from config.settings import *  # noqa: F403
from config.settings import VAR, databases

DATABASES = databases(embedded_folder=VAR / "test-postgres", durable=False)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Rings are heard by nobody: a test runs the job itself. The tests marked `broker` go through real ones.
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {}
LOGGING = {"version": 1, "disable_existing_loggers": False}
