"""What went wrong on the server's side, told apart by what an operator has to do; and one shape for all of the API.

Django calls these for errors that no view answers. None of them may need the database.
"""

import errno
import sys
from typing import Any

from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import defaults

API_PREFIX = "/api/"
RETRY_SECONDS = "30"
DISK_FULL, READ_ONLY, NO_CONNECTION, TWICE = "disk-full", "read-only", "database-down", "conflict"
SENTENCES = {
    DISK_FULL: gettext_lazy(
        "The server's disk is full. Nothing can be stored until the operator frees some space."
    ),
    READ_ONLY: gettext_lazy(
        "The server's database takes no changes at present. Pages can be read; nothing is stored."
    ),
    # Two requests at one moment, each of which looked before the other wrote.
    TWICE: gettext_lazy("Someone else changed this meanwhile. Look at the present state and try again."),
    NO_CONNECTION: gettext_lazy("The server's database cannot be reached at present. Try again in a minute."),
}
# class 08: connection exceptions; class 57P: the server ends or starts
_STATES = {"53100": DISK_FULL, "25006": READ_ONLY, "23505": TWICE}
STATUS = {TWICE: 409}


def cause_of(error: BaseException | None) -> str:
    """What the operator has to mend, or "" for a fault of the program."""
    while error is not None:
        found = _told(error)
        if found:
            return found
        error = error.__cause__ or error.__context__
    return ""


def _told(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DISK_FULL
    if isinstance(error, OSError) and error.errno == errno.EROFS:
        return READ_ONLY
    if not isinstance(error, DatabaseError):
        return ""
    state = getattr(error.__cause__, "sqlstate", None)
    if state is None:
        return NO_CONNECTION if type(error).__name__ in {"OperationalError", "InterfaceError"} else ""
    return NO_CONNECTION if state[:2] == "08" or state[:3] == "57P" else _STATES.get(state, "")


def server_error(request: HttpRequest) -> HttpResponseBase:
    cause = cause_of(sys.exc_info()[1])
    if not cause:
        if is_api(request):
            return _json("server-error", _("Something went wrong on our side"), 500)
        return defaults.server_error(request)
    status = STATUS.get(cause, 503)
    if is_api(request):
        response: HttpResponse = _json(cause, str(SENTENCES[cause]), status)
    else:
        response = HttpResponse(render_to_string("503.html", {"reason": SENTENCES[cause]}), status=status)
    if status == 503:
        response.headers["Retry-After"] = RETRY_SECONDS
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if is_api(request):
        return _json("not-found", _("Not found."), 404)
    return defaults.page_not_found(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if is_api(request):
        return _json("not-allowed", _("You do not have the role for this."), 403)
    return defaults.permission_denied(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if is_api(request):
        return _json("bad-input", _("The request cannot be understood"), 400)
    return defaults.bad_request(request, exception)


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API_PREFIX)


def _json(code: str, message: str, status: int, **details: Any) -> JsonResponse:
    return JsonResponse({"code": code, "message": message, "details": details}, status=status)
