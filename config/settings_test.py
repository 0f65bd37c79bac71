"""Settings of the test suite: a throw-away database that trades safety for speed, and no real broker."""

import os

from config.settings import *  # noqa: F403
from config.settings import VAR, databases

DATABASES = databases(embedded_folder=VAR / "test-postgres", durable=False)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Rings are heard by nobody: a test runs the job itself. The tests marked `broker` go through real ones; a Redis
# server named by CELERY_BROKER_URL is for them only. Celery puts that variable above every setting, so it moves.
if "CELERY_BROKER_URL" in os.environ:
    os.environ["TEST_BROKER_URL"] = os.environ.pop("CELERY_BROKER_URL")
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {}
LOGGING = {"version": 1, "disable_existing_loggers": False}
# WhiteNoise warns when the folder is missing; nothing is collected into it here.
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405
# A test changes a row and looks at once; the store of pages is emptied before each.
PAGES_TRUSTED = 0
CACHES = {
    name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
    for name in ("default", "pages")
}
BACKUP_FOLDER = ""
