"""People of an event: who has which role, and the log of who did what. Log-in by token."""

from __future__ import annotations

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import AuditEntry, Role, User
from tournaments.permissions import Action
from tournaments.selectors import records
from tournaments.services import accounts, events
from tournaments.web import rest
from tournaments.web.api.access import desk_event, role_in
from tournaments.web.api.filtering import described, filtered
from tournaments.web.http import actor_of
from tournaments.web.rest import event_at
from tournaments.web.throttling import SECONDS, too_many


class RoleSerializer(serializers.Serializer[Role]):
    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username")
    full_name = serializers.CharField(source="user.get_full_name")
    kind = serializers.ChoiceField(Role.Kind.choices)


class RoleFieldsSerializer(serializers.Serializer[Any]):
    """A first password makes the account, when there is none of the name."""

    username = serializers.CharField(max_length=150)
    kind = serializers.ChoiceField(Role.Kind.choices)
    password = serializers.CharField(required=False, default="", write_only=True)
    full_name = serializers.CharField(required=False, allow_blank=True, default="", max_length=150)


class AuditSerializer(serializers.Serializer[AuditEntry]):
    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    who = serializers.CharField(source="actor_name")
    address = serializers.CharField()
    action = serializers.CharField()
    section = serializers.SerializerMethodField()
    object_type = serializers.CharField()
    object_id = serializers.IntegerField(allow_null=True)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    reason = serializers.CharField()

    def get_section(self, line: AuditEntry) -> str | None:
        return line.section.code if line.section else None


class AuditFilter(filters.FilterSet):
    action = filters.CharFilter()
    who = filters.CharFilter("actor_name")
    object_type = filters.CharFilter()
    object_id = filters.NumberFilter()
    section = filters.CharFilter("section__code")
    since = filters.IsoDateTimeFilter("at", lookup_expr="gte")
    until = filters.IsoDateTimeFilter("at", lookup_expr="lt")

    class Meta:
        model = AuditEntry
        fields: list[str] = []


class RoleListView(APIView):
    @extend_schema(
        operation_id="list_roles",
        tags=["people"],
        parameters=rest.PAGE,
        responses={200: rest.paged(RoleSerializer), **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str) -> Response:
        """For officials: who has which role."""
        rows = records.roles(desk_event(request, event))
        return rest.private(rest.page_of(request, rows, lambda row: RoleSerializer(row).data))

    @extend_schema(
        operation_id="assign_role",
        parameters=rest.ONCE,
        tags=["people"],
        request=RoleFieldsSerializer,
        responses={200: RoleSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """Give a person a role. Given twice, it is the same role."""
        found = event_at(request, event)
        given = rest.checked(RoleFieldsSerializer, request)
        role = rest.once(request, lambda: events.assign_role(actor_of(request), found.pk, **given))
        return rest.private(RoleSerializer(role).data)


class RoleView(APIView):
    @extend_schema(operation_id="remove_role", tags=["people"], responses={204: None, **rest.WRITE_ERRORS})
    def delete(self, request: Request, event: str, role: int) -> Response:
        """Take a role away; the last organizer stays."""
        found = role_in(event_at(request, event), role)
        events.remove_role(actor_of(request), found.pk)
        return rest.no_content()


class AuditView(APIView):
    @extend_schema(
        operation_id="read_log",
        tags=["people"],
        parameters=[*rest.PAGE, *described(AuditFilter)],
        responses={200: rest.paged(AuditSerializer), **rest.errors(400, 403, 404)},
    )
    def get(self, request: Request, event: str) -> Response:
        """Who did what, when and why; the latest first. For organizers and the chief arbiter."""
        found = desk_event(request, event, Action.READ_AUDIT)
        rows = filtered(AuditFilter, request, records.log(found))
        return rest.private(rest.page_of(request, rows, lambda row: AuditSerializer(row).data))


class TokenFieldsSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    password = serializers.CharField(write_only=True)


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField()


class OwnTokenSerializer(serializers.Serializer[Any]):
    """Your token is told once, when it is made; later only since when there is one, null for none."""

    since = serializers.DateTimeField(allow_null=True)


class TokenView(ObtainAuthToken):
    @extend_schema(
        operation_id="read_own_token",
        tags=["people"],
        responses={200: OwnTokenSerializer, **rest.errors(401)},
    )
    def get(self, request: Request) -> Response:
        """Whether you have a token, without telling it."""
        return rest.private({"since": accounts.token_since(_person(request))})

    @extend_schema(
        operation_id="revoke_own_token",
        tags=["people"],
        responses={204: None, **rest.errors(401, 404)},
    )
    def delete(self, request: Request) -> Response:
        """Your token no longer works, from this moment on."""
        _person(request)
        accounts.revoke_token(actor_of(request))
        return rest.no_content()

    @extend_schema(
        operation_id="obtain_token",
        tags=["people"],
        auth=[],
        request=TokenFieldsSerializer,
        responses={200: TokenSerializer, **rest.errors(400, 401, 429)},
    )
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A token for the `Authorization: Token ...` header, for name and password."""
        given = rest.checked(TokenFieldsSerializer, request)
        try:
            reply = super().post(request, *args, **kwargs)
        except ValidationError:
            if too_many(request._request, given["username"]):
                raise Throttled(wait=SECONDS) from None
            raise AuthenticationFailed from None
        reply["Cache-Control"] = "no-store"
        return reply


def _person(request: Request) -> User:
    """The obtaining of a token asks for no log-in, so the others of its address ask for themselves."""
    user = actor_of(request).user
    if user is None:
        raise NotAuthenticated
    return user
