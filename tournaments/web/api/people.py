"""People of an event: who has which role, and the log of who did what. Log-in by token."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.audit import Actor
from tournaments.models import ApiToken, AuditEntry, Role, User
from tournaments.permissions import Action
from tournaments.selectors import records
from tournaments.services import events, tokens
from tournaments.web import rest
from tournaments.web.api.access import desk_event, role_in
from tournaments.web.api.filtering import described, filtered
from tournaments.web.http import actor_of
from tournaments.web.numbers import whole_number
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
    """`name` tells your keys apart; `days` is how long it lasts."""

    username = serializers.CharField()
    password = serializers.CharField(write_only=True, trim_whitespace=False)
    name = serializers.CharField(default="log-in", max_length=60)
    scope = serializers.ChoiceField(ApiToken.Scope.choices, default=ApiToken.Scope.ALL)
    days = serializers.IntegerField(default=tokens.USUAL_DAYS, min_value=1, max_value=max(tokens.LIFETIMES))


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField()


class OwnTokenSerializer(serializers.Serializer[ApiToken]):
    """One of your keys, without the key."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(ApiToken.Scope.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class OwnTokensSerializer(serializers.Serializer[Any]):
    tokens = OwnTokenSerializer(many=True)


class TokenView(APIView):
    permission_classes = (AllowAny,)  # whoever asks for a key has none yet

    @extend_schema(
        operation_id="read_own_tokens",
        tags=["people"],
        responses={200: OwnTokensSerializer, **rest.errors(401)},
    )
    def get(self, request: Request) -> Response:
        """Your keys that work, without telling them."""
        return rest.private({"tokens": [OwnTokenSerializer(one).data for one in tokens.of(_person(request))]})

    @extend_schema(
        operation_id="revoke_own_token",
        tags=["people"],
        parameters=[
            OpenApiParameter("id", int, description="Which key; without it the one the request came with.")
        ],
        responses={204: None, **rest.errors(401, 404)},
    )
    def delete(self, request: Request) -> Response:
        """The key no longer works, from this moment on."""
        _person(request)
        asked = request.query_params.get("id", "")
        used = request.auth.pk if isinstance(request.auth, ApiToken) else 0
        tokens.revoke(actor_of(request), (whole_number(asked) or 0) if asked else used)
        return rest.no_content()

    @extend_schema(
        operation_id="obtain_token",
        tags=["people"],
        auth=[],
        request=TokenFieldsSerializer,
        responses={200: TokenSerializer, **rest.errors(400, 401, 429)},
    )
    def post(self, request: Request) -> Response:
        """A key for the `Authorization: Token ...` header, for name and password. It is told this once."""
        given = rest.checked(TokenFieldsSerializer, request)
        username, password = given.pop("username"), given.pop("password")
        user = authenticate(request._request, username=username, password=password)
        if not isinstance(user, User):
            if too_many(request._request, username):
                raise Throttled(wait=SECONDS)
            raise AuthenticationFailed
        actor = Actor(user=user, address=actor_of(request).address)
        return rest.private({"token": tokens.create(actor, **given, replaces_oldest=True)})


def _person(request: Request) -> User:
    """The obtaining of a token asks for no log-in, so the others of its address ask for themselves."""
    user = actor_of(request).user
    if user is None:
        raise NotAuthenticated
    return user
