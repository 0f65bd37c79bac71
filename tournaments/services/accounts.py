"""Accounts: organizers made by the site's staff, and what people set for themselves."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound
from tournaments.models import User


def create_organizer(actor: Actor, *, username: str, password: str, full_name: str = "") -> User:
    """An account that may make events. Only staff makes one."""
    if actor.user is None or not actor.user.is_staff:
        raise NotAllowed
    user = User(username=username, first_name=full_name, is_staff=True)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise BadInput(fields={"password": [str(m) for m in error.messages]}) from None
    user.set_password(password)
    with transaction.atomic():
        try:
            user.full_clean()
        except ValidationError as error:
            raise BadInput(
                fields={name: [str(m) for m in messages] for name, messages in error.message_dict.items()}
            ) from None
        user.save()
        audit.record(
            actor=actor, action=AuditAction.CREATE_ACCOUNT, subject=user, after={"username": username}
        )
    return user


def set_language(actor: Actor, language: str) -> None:
    """The language a person's pages speak after logging in; "" leaves it to the browser."""
    user = _self(actor)
    if language and language not in dict(settings.LANGUAGES):
        raise BadInput(fields={"language": [_("There is no such language.")]})
    user.language = language
    user.save(update_fields=["language"])


def has_token(user: User) -> bool:
    return bool(_tokens().filter(user=user).exists())


def token_since(user: User) -> dt.datetime | None:
    """When the present key was made; None without one."""
    found: dt.datetime | None = _tokens().filter(user=user).values_list("created", flat=True).first()
    return found


def create_token(actor: Actor) -> str:
    """A new key for programs; the one before stops working."""
    user = _self(actor)
    with transaction.atomic():
        _tokens().filter(user=user).delete()
        token = _tokens().create(user=user)
        audit.record(actor=actor, action=AuditAction.CREATE_TOKEN, subject=user)
    return str(token.key)


def revoke_token(actor: Actor) -> None:
    user = _self(actor)
    with transaction.atomic():
        deleted, _by_kind = _tokens().filter(user=user).delete()
        if not deleted:
            raise NotFound
        audit.record(actor=actor, action=AuditAction.REVOKE_TOKEN, subject=user)


def _tokens() -> Any:
    """The API's keys. They belong to the API's framework, which the services do not import."""
    return apps.get_model("authtoken", "Token")._default_manager


def _self(actor: Actor) -> User:
    if actor.user is None:
        raise NotAllowed
    return actor.user
