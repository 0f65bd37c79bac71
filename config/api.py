"""One shape for every error of the API: ``{"code", "message", "details"}``; the codes are stable."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler
from rest_framework.views import set_rollback

from tournaments.errors import SiteError

CODES: dict[type[exceptions.APIException], str] = {
    exceptions.ValidationError: "bad-input",
    exceptions.ParseError: "malformed",
    exceptions.AuthenticationFailed: "wrong-credentials",
    exceptions.NotAuthenticated: "not-logged-in",
    exceptions.PermissionDenied: "not-allowed",
    exceptions.NotFound: "not-found",
    exceptions.MethodNotAllowed: "method-not-allowed",
    exceptions.NotAcceptable: "not-acceptable",
    exceptions.UnsupportedMediaType: "unsupported-media-type",
    exceptions.Throttled: "throttled",
}


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer a known error with its code; leave an unknown one to become a 500."""
    if isinstance(error, SiteError):
        set_rollback()
        return error_response(
            code=error.code, message=error.message, details=error.values, status=error.status
        )
    known = _as_api_exception(error)
    response = default_handler(known, dict(context))
    if response is None or not isinstance(known, exceptions.APIException):
        return response
    response.data = _body(known)
    return response


def error_response(*, code: str, message: str, details: Any, status: int) -> Response:
    return Response({"code": code, "message": message, "details": details}, status=status)


def _as_api_exception(error: Exception) -> Exception:
    if isinstance(error, Http404):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    return error


def _body(error: exceptions.APIException) -> dict[str, Any]:
    code = next((code for kind, code in CODES.items() if isinstance(error, kind)), "error")
    if isinstance(error, exceptions.ValidationError):
        return {"code": code, "message": str(error.default_detail), "details": {"fields": error.detail}}
    return {"code": code, "message": str(error.detail), "details": {}}
