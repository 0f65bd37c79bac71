"""Keys for programs: made, found, revoked. A key is told once, when it is made; its digest is what is kept."""

from __future__ import annotations

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound
from tournaments.gate import lock_account
from tournaments.models import ApiToken, User

LIFETIMES = (1, 7, 30, 90, 365)  # days
USUAL_DAYS = 30
MOST = 20  # of one account


def create(
    actor: Actor,
    *,
    name: str,
    scope: str = ApiToken.Scope.ALL,
    days: int = USUAL_DAYS,
    replaces_oldest: bool = False,
) -> str:
    """Return a new key. Raises BadInput for a missing name, an unknown scope, a wrong lifetime, or too many keys.

    With `replaces_oldest` the oldest of the same name gives way when there are too many.
    """
    user = _self(actor)
    name = " ".join(name.replace("\x00", "").split())[:60]
    faults = {}
    if not name:
        faults["name"] = [_("Name the key, so that you know it again.")]
    if scope not in ApiToken.Scope.values:
        faults["scope"] = [_("There is no such scope.")]
    if not 1 <= days <= max(LIFETIMES):
        faults["days"] = [_("A key lasts from 1 to %(most)s days.") % {"most": max(LIFETIMES)}]
    if faults:
        raise BadInput(fields=faults)
    key = secrets.token_urlsafe(32)
    with transaction.atomic():
        lock_account(user.pk)  # keys are counted one after the other
        _make_room(user, name if replaces_oldest else None)
        token = ApiToken.objects.create(
            user=user, name=name, scope=scope, digest=_digest(key), mark=_mark(user),
            expires_at=timezone.now() + timedelta(days=days),
        )  # fmt: skip
        audit.record(
            actor=actor,
            action=AuditAction.CREATE_TOKEN,
            subject=user,
            after={"name": name, "scope": token.scope},
        )
    return key


def find(key: str) -> ApiToken | None:
    """Return the key's row if it opens anything now: not expired, of an active account, whose password is the same."""
    token = ApiToken.objects.select_related("user").filter(digest=_digest(key)).first()
    if token is None or token.expires_at <= timezone.now() or not token.user.is_active:
        return None
    return token if constant_time_compare(token.mark, _mark(token.user)) else None


def of(user: User) -> list[ApiToken]:
    """Return the person's keys that still open something, the newest first."""
    mark = _mark(user)
    return [token for token in user.api_tokens.filter(expires_at__gt=timezone.now()) if token.mark == mark]


def revoke(actor: Actor, token_id: int) -> None:
    """End one's own key at once. Raises NotFound for what is not one's own."""
    user = _self(actor)
    with transaction.atomic():
        token = user.api_tokens.filter(pk=token_id).first()
        if token is None:
            raise NotFound
        audit.record(actor=actor, action=AuditAction.REVOKE_TOKEN, subject=user, before={"name": token.name})
        token.delete()


def revoke_all(actor: Actor) -> None:
    """End every key of the account, as a changed password does."""
    user = _self(actor)
    with transaction.atomic():
        deleted, _by_kind = user.api_tokens.all().delete()
        if deleted:
            audit.record(actor=actor, action=AuditAction.REVOKE_TOKEN, subject=user)


def _make_room(user: User, name: str | None) -> None:
    user.api_tokens.filter(expires_at__lte=timezone.now()).delete()
    if user.api_tokens.count() < MOST:
        return
    oldest = user.api_tokens.filter(name=name).order_by("created_at", "pk").first() if name else None
    if oldest is None:
        raise BadInput(
            fields={"name": [_("There are %(most)s keys already: revoke one first.") % {"most": MOST}]}
        )
    oldest.delete()


def _digest(key: str) -> str:
    # The key has 256 random bits: nobody finds it by trying, so one round is enough.
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _mark(user: User) -> str:
    return user.get_session_auth_hash()[:16]


def _self(actor: Actor) -> User:
    if actor.user is None:
        raise NotAllowed
    return actor.user
