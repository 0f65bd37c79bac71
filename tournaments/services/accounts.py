"""Accounts: organizers made by the site's staff, and what people set for themselves."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound
from tournaments.gate import lock_set_up
from tournaments.models import User

_CLEAR = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is mistaken for something else


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


def switch_off(actor: Actor, user_id: int) -> User:
    """The account opens nothing any more; what it did stays under its name. Staff does it, or the system itself.

    Raises BadInput for one's own account and for the last one that may make events.
    """
    if actor.user is not None and not actor.user.is_staff:
        raise NotAllowed
    with transaction.atomic():
        lock_set_up()
        user = _account(user_id)
        if actor.user is not None and user.pk == actor.user.pk:
            raise BadInput(_("Your own account is switched off by somebody else."), code="own-account")
        others = User.objects.filter(is_staff=True, is_active=True).exclude(pk=user.pk)
        if actor.user is not None and user.is_staff and not others.exists():
            raise BadInput(_("One account that may make events must remain."), code="last-account")
        user.is_active = False
        user.save(update_fields=["is_active"])
        _tokens().filter(user=user).delete()
        audit.record(actor=actor, action=AuditAction.SWITCH_OFF_ACCOUNT, subject=user)
    return user


def switch_on(actor: Actor, user_id: int) -> User:
    if actor.user is None or not actor.user.is_staff:
        raise NotAllowed
    with transaction.atomic():
        user = _account(user_id)
        user.is_active = True
        user.save(update_fields=["is_active"])
        audit.record(actor=actor, action=AuditAction.SWITCH_ON_ACCOUNT, subject=user)
    return user


def reset_password(actor: Actor, user_id: int) -> str:
    """A new first password, told once to the one who hands it over. It ends sessions, tokens and known browsers.

    Staff resets any password but a superuser's, which only another superuser resets.
    """
    if actor.user is None or not actor.user.is_staff:
        raise NotAllowed
    with transaction.atomic():
        user = _account(user_id)
        if user.is_superuser and not actor.user.is_superuser:
            raise NotAllowed
        password = "-".join(get_random_string(4, _CLEAR) for _part in range(4))
        user.set_password(password)
        user.save(update_fields=["password"])
        _tokens().filter(user=user).delete()
        audit.record(actor=actor, action=AuditAction.RESET_PASSWORD, subject=user)
    return password


def set_email(actor: Actor, email: str) -> None:
    """Where a forgotten password is sent to; "" for nowhere."""
    user = _self(actor)
    user.email = email
    user.save(update_fields=["email"])


def _account(user_id: int) -> User:
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotFound
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


def end_tokens(actor: Actor) -> None:
    """Whatever opens the API to this account stops doing so; with a changed password nothing of the old one is left."""
    user = _self(actor)
    with transaction.atomic():
        deleted, _by_kind = _tokens().filter(user=user).delete()
        if deleted:
            audit.record(actor=actor, action=AuditAction.REVOKE_TOKEN, subject=user)


def _tokens() -> Any:
    """The API's keys. They belong to the API's framework, which the services do not import."""
    return apps.get_model("authtoken", "Token")._default_manager


def _self(actor: Actor) -> User:
    if actor.user is None:
        raise NotAllowed
    return actor.user
