"""Log-in of programs: the key in the `Authorization` header, and what its scope lets it do."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from tournaments.models import ApiToken, User
from tournaments.services import tokens

OF_RESULTS = frozenset({"api-result", "api-results", "api-match", "api-score"})


class TokenAuthentication(authentication.TokenAuthentication):
    """Raises AuthenticationFailed for a key that opens nothing, PermissionDenied for what its scope leaves out."""

    def authenticate(self, request: Any) -> tuple[User, ApiToken] | None:
        found: tuple[User, ApiToken] | None = super().authenticate(request)
        if found is not None and not _is_within(found[1].scope, request):
            raise PermissionDenied(_("This key may not do that: its scope is narrower."))
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        token = tokens.find(key)
        if token is None:
            raise AuthenticationFailed(_("Invalid token."))
        return token.user, token


def _is_within(scope: str, request: Any) -> bool:
    if scope == ApiToken.Scope.ALL or request.method in SAFE_METHODS:
        return True
    match = request._request.resolver_match
    address = match.url_name if match is not None else ""
    if address == "api-token":  # a key may always end itself
        return True
    return scope == ApiToken.Scope.RESULTS and address in OF_RESULTS
