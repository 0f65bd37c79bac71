"""Settings of the site, from the environment only; docs/operators.md lists the variables."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from config import environment

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = environment.data_folder(BASE_DIR / "var")

SECRET_KEY = environment.secret_key(VAR)
SEAL_KEY = environment.seal_key()  # "" draws one into the data folder
DEBUG = environment.flag("DEBUG")

# A name in two scripts, parted by a middle dot, is shown in the reader's.
SITE_NAME = environment.text("SITE_NAME", "Hundred Squares · 百格弈事")

# The address visitors use, when it is not the one the web process listens on (behind a proxy, say).
PUBLIC_URL = environment.text("PUBLIC_URL").rstrip("/")
PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname
HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
if PUBLIC_HOST and PUBLIC_HOST not in ALLOWED_HOSTS:
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, PUBLIC_HOST]

INSTALLED_APPS = [
    "tournaments",
    "games",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_htmx",
]

# Accounts that still had the password of the demo, which everybody knows, when the site started: the desk warns of them.
DEMO_ACCOUNTS = environment.words("DEMO_ACCOUNTS", [])

# How many proxies of ours stand in front of the site: their word about the visitor's address is believed.
PROXIES = environment.number("PROXIES", 0)

# Who may read /metrics from another machine: with "Authorization: Bearer ..."; from this one anybody may.
METRICS_TOKEN = environment.text("METRICS_TOKEN")

MIDDLEWARE = [
    "tournaments.web.rendered.RenderedPages",
    "config.logs.RequestLog",
    "config.middleware.VisitorAddress",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.ContentSecurityPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.ChosenLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.StorableText",
    "config.middleware.OneSnapshot",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


def databases(*, embedded_folder: Path, durable: bool) -> dict[str, dict[str, Any]]:
    """The server of DATABASE_URL or, when that is unset, the embedded one with its data in the given folder."""
    common = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    address = environment.database_address()
    if address is None:
        return {
            "default": {**common, "ENGINE": "config.embedded", "FOLDER": embedded_folder, "DURABLE": durable}
        }
    return {
        "default": {
            **common,
            "ENGINE": "django.db.backends.postgresql",
            "NAME": address.name,
            "USER": address.user,
            "PASSWORD": address.password,
            "HOST": address.host,
            "PORT": address.port,
            "OPTIONS": {"connect_timeout": "10", **address.options},
        }
    }


DATABASES = databases(embedded_folder=VAR / "postgres", durable=True)

# Where one backup after each publication goes; "" makes none. Servers of their own have their own ways.
BACKUP_FOLDER = environment.text("BACKUPS", "" if environment.text("DATABASE_URL") else str(VAR / "backups"))

# --- people

# What the first account needs on a site that others can reach; the one command draws it and shows it on the console.
SETUP_CODE = environment.text("SETUP_CODE")
AUTH_USER_MODEL = "tournaments.User"
AUTHENTICATION_BACKENDS = ["tournaments.web.throttling.BrakedBackend"]
LOGIN_REDIRECT_URL = "desk:home"
LOGOUT_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# --- languages and time

LANGUAGE_CODE = environment.text("LANGUAGE_CODE", "zh-hans")
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = environment.text("TIME_ZONE", "Asia/Shanghai")
USE_I18N = True
USE_TZ = True

# --- files

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
MEDIA_ROOT = VAR / "media"
STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if DEBUG
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATIC_STORAGE},
}

# --- jobs

BROKER_FOLDER = VAR / "broker"
CELERY_BROKER_URL = environment.text("CELERY_BROKER_URL", "folder://localhost")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = (
    {
        "data_folder_in": str(BROKER_FOLDER / "messages"),
        "data_folder_out": str(BROKER_FOLDER / "messages"),
        "control_folder": str(BROKER_FOLDER / "control"),
        "polling_interval": 0.2,
    }
    if CELERY_BROKER_URL.startswith("folder:")
    else {"socket_connect_timeout": 5}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A doorbell that finds no broker must not hold up the request: the sweep rings again.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = TIME_ZONE

# The results of a round of 3,000 players are one form: three fields a board.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# --- rendered pages: shared by all processes, in a folder or, with several machines, in Redis

PAGES_KEPT = environment.flag("PAGES_KEPT", default=True)
PAGES_TRUSTED = 1  # seconds in which a process does not ask again whether an event has changed
_REDIS = CELERY_BROKER_URL.replace("redis+socket://", "unix://")
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "pages": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": _REDIS,
        "KEY_PREFIX": "pages",
    }
    if _REDIS.startswith(("redis://", "rediss://", "unix://"))
    else {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR / "pages",
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
}

# --- API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.web.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": [
        "tournaments.web.parsers.JSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.api.exception_handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Draughts tournaments",
    "DESCRIPTION": "Events, entries, rounds, pairings, results, standings, scoresheets, rulings and appeals.",
    "VERSION": "1.0.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "EventState": "tournaments.models.Event.State",
        "SectionState": "tournaments.models.Section.State",
        "StateOfRound": "tournaments.models.Round.State",
        "JobState": "tournaments.models.Job.State",
        "JobKind": "tournaments.models.Job.Kind",
        "RoleKind": "tournaments.models.Role.Kind",
        "EntryStatus": "tournaments.models.Entry.Status",
    },
}

# --- safety

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = environment.number("HSTS_SECONDS", 3600)
    SECURE_SSL_REDIRECT = True
    # Balancers and metrics ask this machine itself, without TLS.
    SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
# Other names of the domain, and the lists of browsers, are not this site's to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- mail (password resets): shown on the console until a server is named

EMAIL_HOST = environment.text("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = environment.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = environment.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_USE_TLS", default=bool(EMAIL_HOST))
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "tournaments@localhost")

LOG_FORMAT = environment.choice("LOG_FORMAT", ["line", "json"])
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} [{context}] {message}", "style": "{"},
        "json": {"()": "config.logs.JsonLines"},
    },
    "filters": {
        "context": {"()": "config.logs.Context"},
        "links": {"()": "config.logs.HidePersonalLinks"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["context", "links"],
        }
    },
    "root": {"handlers": ["console"], "level": environment.text("LOG_LEVEL", "WARNING")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "access": {"level": "INFO" if environment.flag("ACCESS_LOG") else "WARNING"},
    },
}
