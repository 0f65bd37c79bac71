"""Accounts: organizers made by the site's staff, and what people set for themselves."""

from __future__ import annotations

from secrets import token_hex

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.gate import lock_event, lock_set_up
from tournaments.models import Event, Role, User

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
        user.api_tokens.all().delete()
        audit.record(actor=actor, action=AuditAction.SWITCH_OFF_ACCOUNT, subject=user)
    return user


def remove_account(actor: Actor, user_id: int) -> str:
    """Take an account away for good: log-in, password, e-mail, keys and roles. Return whose it was.

    What the person did stays in the log, in rulings and in decisions, under the full name. Staff does it; a superuser's only
    another superuser. Raises BadInput as `switch_off` does, and WrongState where an event would be left without organizer.
    """
    if actor.user is None or not actor.user.is_staff:
        raise NotAllowed
    with transaction.atomic():
        events = (
            Event.objects.filter(roles__user=user_id).order_by("pk").distinct().values_list("pk", flat=True)
        )
        for pk in events:
            lock_event(pk)
        user = switch_off(actor, user_id)
        if user.is_superuser and not actor.user.is_superuser:
            raise NotAllowed
        _refuse_last_organizer(user)
        username = user.username
        user.roles.all().delete()
        user.players.update(user=None)
        user.username, user.email = f"removed-{user.pk}-{token_hex(4)}", ""
        user.first_name = user.first_name or username
        user.is_staff = user.is_superuser = False
        user.removed_at = timezone.now()
        user.set_unusable_password()
        user.save()
        audit.record(
            actor=actor, action=AuditAction.REMOVE_ACCOUNT, subject=user, before={"username": username}
        )
    return username


def _refuse_last_organizer(user: User) -> None:
    for event in Event.objects.filter(roles__user=user, roles__kind=Role.Kind.ORGANIZER).exclude(
        state=Event.State.CLOSED
    ):
        if not event.roles.filter(kind=Role.Kind.ORGANIZER).exclude(user=user).exists():
            raise WrongState(
                _("%(event)s would have no organizer: name another one first."),
                event=event,
                code="last-organizer",
            )


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
        user.api_tokens.all().delete()
        audit.record(actor=actor, action=AuditAction.RESET_PASSWORD, subject=user)
    return password


def set_email(actor: Actor, email: str) -> None:
    """Where a forgotten password is sent to; "" for nowhere."""
    user = _self(actor)
    user.email = email
    user.save(update_fields=["email"])


def _account(user_id: int) -> User:
    user = User.objects.filter(pk=user_id, removed_at=None).first()
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


def _self(actor: Actor) -> User:
    if actor.user is None:
        raise NotAllowed
    return actor.user
