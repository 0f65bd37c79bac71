"""Events: the list, one event, making, changing, showing and closing."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http.response import HttpResponseBase
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import Event, Section
from tournaments.selectors import public
from tournaments.services import events
from tournaments.web import rest
from tournaments.web.api.access import visible_events
from tournaments.web.api.filtering import described, filtered
from tournaments.web.caching import event_tag, section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import event_at


class EventFieldsSerializer(serializers.ModelSerializer[Event]):
    """What an organizer writes. All checks are the service's, so that pages and API refuse the same."""

    class Meta:
        model = Event
        fields = [*events.EVENT_FIELDS]
        extra_kwargs = {"code": {"validators": [], "required": False}}


class SectionLinkSerializer(serializers.Serializer[Section]):
    code = serializers.CharField()
    name = serializers.CharField()
    name_en = serializers.CharField()


class EventSerializer(serializers.ModelSerializer[Event]):
    sections = SectionLinkSerializer(many=True, read_only=True)

    class Meta:
        model = Event
        fields = [*events.EVENT_FIELDS, "state", "closed_at", "sections"]
        read_only_fields = ["state", "closed_at"]


class VisibilitySerializer(serializers.Serializer[Any]):
    public = serializers.BooleanField()


class EventFilter(filters.FilterSet):
    q = filters.CharFilter(method="matching", label="Words of the name, place or code.")
    state = filters.ChoiceFilter(choices=[("OPEN", "public"), ("CLOSED", "closed"), ("DRAFT", "draft")])
    starts_after = filters.DateFilter("starts_on", lookup_expr="gte", label="First day on or after.")
    starts_before = filters.DateFilter("starts_on", lookup_expr="lte", label="First day on or before.")
    order = filters.OrderingFilter(fields=[("starts_on", "starts_on"), ("name", "name")])

    class Meta:
        model = Event
        fields: list[str] = []

    def matching(self, found: Any, _name: str, words: str) -> Any:
        return found.filter(pk__in=[event.pk for event in public.matching(found, words)])


def _with_sections(found: Any) -> Any:
    return found.prefetch_related(Prefetch("sections", queryset=Section.objects.order_by("position", "id")))


class EventListView(APIView):
    @extend_schema(
        operation_id="list_events",
        tags=["events"],
        parameters=[*rest.PAGE, *described(EventFilter)],
        responses={200: rest.paged(EventSerializer), **rest.errors(400, 404)},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Public events, and those in preparation in which you have a role; the latest first."""
        found = _with_sections(filtered(EventFilter, request, visible_events(request)))
        page = rest.page_of(request, found, lambda event: EventSerializer(event).data)
        return (
            rest.private(page)
            if request.user.is_authenticated
            else rest.public(request, None, parts=[page], body=lambda: page)
        )

    @extend_schema(
        operation_id="create_event",
        parameters=rest.ONCE,
        tags=["events"],
        request=EventFieldsSerializer,
        responses={201: EventSerializer, **rest.errors(400, 401, 403)},
    )
    def post(self, request: Request) -> Response:
        """A new event, in preparation: nobody but its officials sees it until it is shown."""
        fields = rest.checked(EventFieldsSerializer, request)
        event = rest.once(request, lambda: events.create_event(actor_of(request), fields))
        return rest.private(EventSerializer(event).data, status=201, location=f"{request.path}{event.code}/")


class EventView(APIView):
    @extend_schema(
        operation_id="read_event", tags=["events"], responses={200: EventSerializer, **rest.READ_ERRORS}
    )
    def get(self, request: Request, event: str) -> HttpResponseBase:
        found = event_at(request, event)
        sections = public.sections_of(found)
        tags = [event_tag(found), [section_tag(section) for section in sections]]
        return rest.public(request, found, parts=tags, body=lambda: EventSerializer(found).data)

    @extend_schema(
        operation_id="update_event",
        tags=["events"],
        request=EventFieldsSerializer,
        responses={200: EventSerializer, **rest.WRITE_ERRORS},
    )
    def patch(self, request: Request, event: str) -> Response:
        found = event_at(request, event)
        fields = rest.checked(EventFieldsSerializer, request, partial=True)
        return rest.private(EventSerializer(events.update_event(actor_of(request), found.pk, fields)).data)


class EventVisibilityView(APIView):
    @extend_schema(
        operation_id="show_event",
        tags=["events"],
        request=VisibilitySerializer,
        responses={200: EventSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str) -> Response:
        """Show the event to everybody, or hide it again."""
        found = event_at(request, event)
        shown = rest.checked(VisibilitySerializer, request)["public"]
        return rest.private(
            EventSerializer(events.show_event(actor_of(request), found.pk, public=shown)).data
        )


class EventClosingView(APIView):
    @extend_schema(
        operation_id="close_event",
        tags=["events"],
        request=None,
        responses={200: EventSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """Close an event whose sections are all closed."""
        found = event_at(request, event)
        return rest.private(EventSerializer(events.close_event(actor_of(request), found.pk)).data)
