"""Players of a section: the list, one player's way through the rounds, late entry, absence, withdrawal and return."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http.response import HttpResponseBase
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import formats
from tournaments.models import Absence, Entry, Player, last_public
from tournaments.selectors import people, public, records
from tournaments.selectors.people import Step
from tournaments.services import entries
from tournaments.web import rest
from tournaments.web.api.access import absence_in, desk_section, entry_in
from tournaments.web.api.filtering import described, filtered
from tournaments.web.caching import section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at
from tournaments.wording.names import plain


class EntryFieldsSerializer(serializers.ModelSerializer[Player]):
    """What an official writes of a player. All checks are the service's."""

    seed_number = serializers.IntegerField(required=False, allow_null=True, min_value=1)
    lot_number = serializers.IntegerField(required=False, allow_null=True, min_value=1)

    class Meta:
        model = Player
        fields = [*entries.PLAYER_FIELDS, *entries.ENTRY_FIELDS]


class EntryLinkSerializer(serializers.Serializer[Entry]):
    id = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="player.name")


class EntrySerializer(EntryLinkSerializer):
    """`number` is the pairing number, null until round 1 is published."""

    family_name = serializers.CharField(source="player.family_name")
    latin_name = serializers.CharField(source="player.latin_name")
    sex = serializers.CharField(source="player.sex")
    federation = serializers.CharField(source="player.federation")
    club = serializers.CharField(source="player.club")
    rating = serializers.IntegerField(source="player.rating")
    title = serializers.CharField(source="player.title")
    grade = serializers.CharField(source="player.grade")
    fmjd_id = serializers.CharField(source="player.fmjd_id")
    first_round = serializers.IntegerField()
    status = serializers.ChoiceField(Entry.Status.choices)
    withdrawn_after_round = serializers.IntegerField(allow_null=True)


class StepSerializer(serializers.Serializer[Any]):
    """One public round of a player. Without a pairing `outcome` is empty."""

    round = serializers.IntegerField()
    board = serializers.IntegerField(allow_null=True)
    colour = serializers.ChoiceField(["w", "b"], allow_null=True)
    opponent = EntryLinkSerializer(allow_null=True)
    outcome = serializers.CharField(allow_blank=True)
    grade = serializers.CharField(allow_blank=True)
    points = serializers.IntegerField()
    total = serializers.IntegerField()


class EntryWaySerializer(EntrySerializer):
    """`performance` is the mean over the games played against rated opponents of their rating, 500 more for a win, 500
    less for a loss.
    """

    points = serializers.IntegerField()
    performance = serializers.IntegerField(allow_null=True)
    rounds = StepSerializer(many=True)


class DeskEntrySerializer(EntrySerializer):
    """With what the desk keeps to itself."""

    birth_year = serializers.IntegerField(source="player.birth_year", allow_null=True)
    seed_number = serializers.IntegerField(allow_null=True)
    lot_number = serializers.IntegerField(allow_null=True)
    family = serializers.CharField(source="player.family")


class AbsenceSerializer(serializers.Serializer[Absence]):
    id = serializers.IntegerField()
    entry = EntryLinkSerializer()
    round = serializers.IntegerField(source="round_number")
    kind = serializers.ChoiceField(["ZERO_BYE", "HALF_BYE", "BYE"])
    reason = serializers.CharField()


class AbsenceFieldsSerializer(serializers.Serializer[Any]):
    entry = serializers.IntegerField()
    round = serializers.IntegerField()
    kind = serializers.CharField(default="ZERO_BYE")
    reason = serializers.CharField(allow_blank=True, default="", max_length=200)


class WithdrawalSerializer(serializers.Serializer[Any]):
    after_round = serializers.IntegerField(min_value=0, max_value=999)
    reason = serializers.CharField(allow_blank=True, default="", max_length=500)


class ReturnSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(allow_blank=True, default="", max_length=500)


class EntryFilter(filters.FilterSet):
    q = filters.CharFilter(method="matching", label="Part of a name in any script or in pinyin, or a number.")
    club = filters.CharFilter("player__club")
    federation = filters.CharFilter("player__federation")
    sex = filters.CharFilter("player__sex")
    rating_min = filters.NumberFilter("player__rating", lookup_expr="gte")
    rating_max = filters.NumberFilter("player__rating", lookup_expr="lte")
    status = filters.ChoiceFilter(method="of_status", choices=Entry.Status.choices)
    order = filters.OrderingFilter(fields=[("player__rating", "rating"), ("player__name", "name")])

    class Meta:
        model = Entry
        fields: list[str] = []

    @property
    def last(self) -> int:
        return int((self.data or {}).get("_last", 0))

    def matching(self, found: Any, _name: str, words: str) -> Any:
        for word in filter(None, (plain(each) for each in words.split())):
            is_number = word.isascii() and word.isdigit()
            numbered = Q(number=int(word[:9])) if is_number and self.last else Q(pk__in=[])
            found = found.filter(numbered if is_number else Q(player__search_keys__contains=word))
        return found

    def of_status(self, found: Any, _name: str, status: str) -> Any:
        gone = ~Q(status=Entry.Status.ACTIVE) & Q(withdrawn_after_round__lte=self.last)
        disqualified = Q(status=Entry.Status.DISQUALIFIED, withdrawn_after_round__isnull=True)
        if status == Entry.Status.ACTIVE:
            return found.exclude(gone | disqualified)
        return found.filter(gone | disqualified, status=status)


def way(step: Step) -> dict[str, Any]:
    return {
        "round": step.round.number,
        "board": step.line.board if step.line and not step.line.is_bye else None,
        "colour": step.colour.value if step.colour else None,
        "opponent": EntryLinkSerializer(step.opponent).data if step.opponent else None,
        "outcome": step.line.outcome.value if step.line else "",
        "grade": step.line.grade if step.line else "",
        "points": step.took,
        "total": step.total,
    }


def desk_entry(entry: Entry) -> dict[str, Any]:
    return dict(DeskEntrySerializer(entry).data)


class EntryListView(APIView):
    @extend_schema(
        operation_id="list_entries",
        tags=["entries"],
        parameters=[*rest.PAGE, *described(EntryFilter)],
        responses={200: rest.paged(EntrySerializer), **rest.errors(400, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """By pairing number; before round 1 is published by rating."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            last = last_public(found)
            rows = filtered(EntryFilter, request, records.entries(found, last=last), _last=last)
            return rest.page_of(
                request, rows, lambda entry: EntrySerializer(records.mask(entry, last=last)).data
            )

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)

    @extend_schema(
        operation_id="add_entry",
        parameters=rest.ONCE,
        tags=["entries"],
        request=EntryFieldsSerializer,
        responses={201: DeskEntrySerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Enter a player. Once round 1 is paired this is a late entry, from the next round on."""
        found = section_at(request, event, section)
        fields = rest.checked(EntryFieldsSerializer, request)
        entry = rest.once(request, lambda: entries.add_entry(actor_of(request), found.pk, fields))
        return rest.private(desk_entry(entry), status=201, location=f"{request.path}{entry.pk}/")


class EntryView(APIView):
    @extend_schema(
        operation_id="read_entry",
        tags=["entries"],
        responses={200: EntryWaySerializer, **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str, entry: int) -> HttpResponseBase:
        """One player with every public round: opponent, colour, result, points so far."""
        found = section_at(request, event, section)
        entry_in(found, entry)

        def body() -> dict[str, Any]:
            book = public.ledger(found)
            one = records.mask(book.entries[entry], last=book.last_round)
            steps = people.steps(book, one)
            worth = None if formats.of(found).enters_teams else people.performance(steps)
            return {
                **EntrySerializer(one).data,
                "points": book.points_now()[entry],
                "performance": worth.rating if worth else None,
                "rounds": [way(step) for step in steps],
            }

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)

    @extend_schema(
        operation_id="update_entry",
        tags=["entries"],
        request=EntryFieldsSerializer,
        responses={200: DeskEntrySerializer, **rest.WRITE_ERRORS},
    )
    def patch(self, request: Request, event: str, section: str, entry: int) -> Response:
        found = entry_in(section_at(request, event, section), entry)
        fields = rest.checked(EntryFieldsSerializer, request, partial=True)
        return rest.private(desk_entry(entries.update_entry(actor_of(request), found.pk, fields)))

    @extend_schema(operation_id="remove_entry", tags=["entries"], responses={204: None, **rest.WRITE_ERRORS})
    def delete(self, request: Request, event: str, section: str, entry: int) -> Response:
        """Only an entry that was never paired; one that was is withdrawn instead."""
        entries.remove_entry(actor_of(request), entry_in(section_at(request, event, section), entry).pk)
        return rest.no_content()


class EntryWithdrawalView(APIView):
    @extend_schema(
        operation_id="withdraw_entry",
        tags=["entries"],
        request=WithdrawalSerializer,
        responses={200: DeskEntrySerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, entry: int) -> Response:
        """The player is paired in no round after `after_round`."""
        found = entry_in(section_at(request, event, section), entry)
        given = rest.checked(WithdrawalSerializer, request)
        return rest.private(desk_entry(entries.withdraw_entry(actor_of(request), found.pk, **given)))


class EntryReturnView(APIView):
    @extend_schema(
        operation_id="return_entry",
        tags=["entries"],
        request=ReturnSerializer,
        responses={200: DeskEntrySerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, entry: int) -> Response:
        """A withdrawn player comes back, from the next round that is not paired yet."""
        found = entry_in(section_at(request, event, section), entry)
        given = rest.checked(ReturnSerializer, request)
        return rest.private(desk_entry(entries.return_entry(actor_of(request), found.pk, **given)))


class DeskEntryListView(APIView):
    @extend_schema(
        operation_id="list_desk_entries",
        tags=["desk"],
        parameters=rest.PAGE,
        responses={200: rest.paged(DeskEntrySerializer), **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        """For officials: numbers as soon as they are drawn, seeds, lots, years of birth."""
        found = desk_section(request, event, section)
        rows = found.entries.select_related("player").order_by("number", "-player__rating", "pk")
        return rest.private(rest.page_of(request, rows, desk_entry))


class AbsenceListView(APIView):
    @extend_schema(
        operation_id="list_absences",
        tags=["desk"],
        parameters=rest.PAGE,
        responses={200: rest.paged(AbsenceSerializer), **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        """For officials: byes asked for and absences announced."""
        rows = records.absences(desk_section(request, event, section))
        return rest.private(rest.page_of(request, rows, lambda row: AbsenceSerializer(row).data))

    @extend_schema(
        operation_id="announce_absence",
        tags=["entries"],
        request=AbsenceFieldsSerializer,
        responses={200: AbsenceSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """A bye asked for ahead, for a round that is not paired yet. Told again, the last word counts."""
        found = section_at(request, event, section)
        given = rest.checked(AbsenceFieldsSerializer, request)
        absence = entries.announce_absence(
            actor_of(request),
            entry_in(found, given["entry"]).pk,
            round_number=given["round"],
            kind=given["kind"],
            reason=given["reason"],
        )
        return rest.private(AbsenceSerializer(absence).data)


class AbsenceView(APIView):
    @extend_schema(
        operation_id="cancel_absence", tags=["entries"], responses={204: None, **rest.WRITE_ERRORS}
    )
    def delete(self, request: Request, event: str, section: str, absence: int) -> Response:
        found = absence_in(section_at(request, event, section), absence)
        entries.cancel_absence(actor_of(request), found.pk)
        return rest.no_content()
