"""Appeals through the interface: the public register, and what a party does: filing, evidence, withdrawing.

Hearing, deliberation and votes are on the committee's pages alone.
"""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Appeal, Category, Ruling, Subject
from games.permissions import Act, require
from games.selectors import court_cases
from games.services.court import appeals, exhibits, lodging, panels
from games.services.court.appeals import LONGEST_TEXT, Filing, Paper
from games.services.court.contested import Contested
from games.services.court.files import LARGEST
from games.web.api.court import (
    ARTICLE,
    CATEGORY,
    SECTION,
    PublicRulingSerializer,
    category_asked,
    public_ruling,
    section_asked,
)
from games.web.api.support import own_entries
from games.wording.court import is_public
from tournaments.audit import Actor
from tournaments.audit.reasons import worded
from tournaments.errors import NotFound
from tournaments.models import Entry, Event
from tournaments.web.http import actor_of
from tournaments.web.rest import (
    PAGE,
    READ_ERRORS,
    WRITE_ERRORS,
    checked,
    errors,
    event_at,
    page_of,
    paged,
    private,
    public_body,
)


class PublicDecisionSerializer(serializers.Serializer[Any]):
    verdict = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    decided_at = serializers.DateTimeField()


class PublicAppealSerializer(serializers.Serializer[Any]):
    """What anybody may know of a case. `reasons` are codes: why it was not accepted."""

    number = serializers.IntegerField()
    section = serializers.CharField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    category = serializers.CharField()
    article = serializers.CharField()
    ruling = serializers.IntegerField(help_text="Number of the ruling.")
    effect = serializers.CharField(help_text="What the ruling did; empty where it was not public.")
    state = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())
    filed_at = serializers.DateTimeField()
    decision = PublicDecisionSerializer(allow_null=True)


class OwnAppealSerializer(PublicAppealSerializer):
    """A case as one of its parties sees it. `deadline_at` is null while the game has no result."""

    party = serializers.CharField()
    grounds = serializers.CharField()
    request = serializers.CharField()
    deadline_at = serializers.DateTimeField(allow_null=True)
    fee = serializers.IntegerField()
    fee_state = serializers.CharField()
    evidence = serializers.ListField(child=serializers.CharField(), help_text="Names of the files.")


class OwnRulingSerializer(PublicRulingSerializer):
    """A ruling that you may appeal against, with what it costs and until when."""

    text = serializers.CharField(allow_blank=True)
    appeal_fee = serializers.IntegerField()
    appeal_until = serializers.DateTimeField(allow_null=True)


class OwnCourtSerializer(serializers.Serializer[Any]):
    rulings = OwnRulingSerializer(many=True)
    appeals = OwnAppealSerializer(many=True)


class FilingSerializer(serializers.Serializer[Any]):
    """`submission` is a number of your own: sent twice, it is one case. `link` is the personal link of who has no account."""

    submission = serializers.CharField(max_length=64)
    kind = serializers.CharField(help_text=", ".join(Category.values), max_length=16)
    grounds = serializers.CharField(max_length=LONGEST_TEXT)
    request = serializers.CharField(max_length=LONGEST_TEXT)
    link = serializers.CharField(default="", allow_blank=True, max_length=40)


class ContestSerializer(FilingSerializer):
    """What is appealed against: the round of your board, in a match the game; `words` for a refusal or another decision."""

    subject = serializers.ChoiceField(choices=[value for value in Subject.values if value != Subject.RULING])
    round = serializers.IntegerField(min_value=1)
    number = serializers.IntegerField(min_value=1, default=1)
    words = serializers.CharField(default="", allow_blank=True, max_length=1000)


class PaperAppealSerializer(serializers.Serializer[Any]):
    """An appeal handed in on paper: `ruling` (its number here), or `subject` with `round`, for another decision."""

    submission = serializers.CharField(max_length=64)
    kind = serializers.CharField(help_text=", ".join(Category.values), max_length=16)
    grounds = serializers.CharField(max_length=LONGEST_TEXT)
    request = serializers.CharField(max_length=LONGEST_TEXT)
    entry = serializers.IntegerField(help_text="The appellant's entry.")
    ruling = serializers.IntegerField(default=None, allow_null=True)
    subject = serializers.CharField(default="", allow_blank=True, max_length=8)
    round = serializers.IntegerField(default=0)
    number = serializers.IntegerField(min_value=1, default=1)
    words = serializers.CharField(default="", allow_blank=True, max_length=1000)
    received_at = serializers.DateTimeField()
    received_by = serializers.CharField(max_length=200)
    captain = serializers.CharField(default="", allow_blank=True, max_length=200)


class CauseSerializer(serializers.Serializer[Any]):
    cause = serializers.CharField(max_length=500)


class AgainSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=300)


class EvidenceFieldsSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()
    link = serializers.CharField(default="", allow_blank=True, max_length=40)


class KeptEvidenceSerializer(serializers.Serializer[Any]):
    filename = serializers.CharField()
    media_type = serializers.CharField()
    size = serializers.IntegerField()
    digest = serializers.CharField()


class PartySerializer(serializers.Serializer[Any]):
    link = serializers.CharField(default="", allow_blank=True, max_length=40)


LINK = OpenApiParameter("link", str, description="The player's personal link, for who has no account.")


def _public_case(case: Appeal) -> dict[str, Any]:
    incident, decision = case.ruling.incident, getattr(case, "decision", None)
    return {
        "number": case.number,
        "section": case.section.code,
        "round": incident.round_number,
        "board": incident.board,
        "category": case.kind,
        "article": case.article if is_public(case.ruling) else "",
        "ruling": case.ruling.number,
        "effect": case.ruling.effect if is_public(case.ruling) else "",
        "state": case.state,
        "reasons": case.reasons,
        "filed_at": case.filed_at,
        "decision": decision
        and {
            "verdict": decision.proposal.verdict,
            "text": decision.proposal.text,
            "decided_at": decision.decided_at,
        },
    }


def _own_case(actor: Actor, case: Appeal, link: str) -> dict[str, Any]:
    found, _acting, party = court_cases.own_case(actor, case.pk, link=link)
    return {
        **_public_case(found),
        "party": party.value,
        **{name: getattr(found, name) for name in ("grounds", "request", "deadline_at", "fee", "fee_state")},
        "evidence": [row.filename for row in court_cases.evidence_of(found) if row.party == party],
    }


def _own_ruling(ruling: Ruling) -> dict[str, Any]:
    terms = appeals.terms_of(ruling)
    return {
        **public_ruling(ruling),
        "text": worded(ruling.text),
        "appeal_fee": terms.fee,
        "appeal_until": terms.deadline_at,
    }


def _case(event: Event, number: int) -> Appeal:
    found = next((case for case in court_cases.register(event) if case.number == number), None)
    if found is None:
        raise NotFound
    return found


class AppealListView(APIView):
    @extend_schema(
        operation_id="list_appeals",
        tags=["court"],
        parameters=[*PAGE, ARTICLE, CATEGORY, SECTION],
        responses={200: paged(PublicAppealSerializer), **errors(400, 404)},
    )
    def get(self, request: Request, event: str) -> HttpResponseBase:
        """The register of appeals: every case with what anybody may know of it."""
        found = event_at(request, event)
        section = section_asked(request, found)
        rows = court_cases.register(
            found, article=request.query_params.get("article", ""), kind=category_asked(request)
        )
        shown = [case for case in rows if section is None or case.section_id == section.pk]
        return public_body(request, found, page_of(request, shown, _public_case))


class AppealView(APIView):
    @extend_schema(
        operation_id="read_appeal", tags=["court"], responses={200: PublicAppealSerializer, **READ_ERRORS}
    )
    def get(self, request: Request, event: str, number: int) -> HttpResponseBase:
        """One case of the register, by its number."""
        found = event_at(request, event)
        return public_body(request, found, _public_case(_case(found, number)))


class OwnCourtView(APIView):
    @extend_schema(
        operation_id="read_own_court",
        tags=["court"],
        parameters=[LINK],
        responses={200: OwnCourtSerializer, **errors(404)},
    )
    def get(self, request: Request, event: str) -> Response:
        """For a player by account or link, or a captain: the rulings in force at one's boards, with the terms of an appeal,
        and one's cases.
        """
        found, actor = event_at(request, event), actor_of(request)
        link = request.query_params.get("link", "")
        own = own_entries(request, found, link)
        return private(
            {
                "rulings": [_own_ruling(ruling) for ruling in court_cases.rulings_about(own)],
                "appeals": [_own_case(actor, case, link) for case in court_cases.cases_about(own)],
            }
        )


class RulingAppealListView(APIView):
    permission_classes = (AllowAny,)  # a personal link will do; the service asks who acts

    @extend_schema(
        operation_id="file_appeal",
        tags=["court"],
        request=FilingSerializer,
        responses={201: OwnAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, ruling: int) -> Response:
        """Appeal against a ruling at one's own board, the game going on. What comes too late is kept as not accepted."""
        found, actor = event_at(request, event), actor_of(request)
        given = checked(FilingSerializer, request)
        link = given.pop("link")
        subject, _acting = court_cases.own_ruling(actor, ruling, link=link)
        if subject.event_id != found.pk:
            raise NotFound
        case = appeals.file_appeal(actor, subject.pk, Filing(**given), link=link)
        return private(_own_case(actor, case, link), status=201)


class ContestedDecisionListView(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="contest_decision",
        tags=["court"],
        request=ContestSerializer,
        responses={201: OwnAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Appeal against a decision that no ruling was written for: a result, a claim refused, a pairing, and the like."""
        found, actor = event_at(request, event), actor_of(request)
        where = found.sections.filter(code=section).first()
        given = checked(ContestSerializer, request)
        link = given.pop("link")
        own = [entry.pk for entry in court_cases.own_entries(actor) if where and entry.section_id == where.pk]
        if where is None or (not link and not own):
            raise NotFound
        contested = Contested(
            subject=given.pop("subject"), round_number=given.pop("round"), number=given.pop("number"),
            words=given.pop("words"),
        )  # fmt: skip
        case = lodging.contest(
            actor, where.pk, contested, Filing(**given), link=link, entry_id=own[0] if own else 0
        )
        return private(_own_case(actor, case, link), status=201)


class PaperAppealListView(APIView):
    @extend_schema(
        operation_id="log_paper_appeal",
        tags=["court"],
        request=PaperAppealSerializer,
        responses={201: PublicAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """Log an appeal handed in on paper: the committee, the organizer, an arbiter. It counts from when it was received."""
        found, actor = event_at(request, event), actor_of(request)
        require(actor, Act.LOG_APPEAL, found)
        given = checked(PaperAppealSerializer, request)
        entry = Entry.objects.filter(pk=given["entry"], section__event=found).first()
        if entry is None:
            raise NotFound
        contested = None
        if given["subject"]:
            contested = Contested(
                subject=given["subject"], round_number=given["round"], number=given["number"], words=given["words"]
            )  # fmt: skip
        case = lodging.log_paper(
            actor, entry.pk, Filing(**{name: given[name] for name in ("kind", "grounds", "request", "submission")}),
            Paper(**{name: given[name] for name in ("received_at", "received_by", "captain")}),
            ruling_id=given["ruling"], contested=contested,
        )  # fmt: skip
        return private(_public_case(_case(found, case.number)), status=201)


class AppealFeeView(APIView):
    @extend_schema(
        operation_id="confirm_appeal_fee",
        tags=["court"],
        request=None,
        responses={200: PublicAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, number: int) -> Response:
        """The fee was paid in full; the organizer or the chief arbiter says so. Said twice is once."""
        found = event_at(request, event)
        require(actor_of(request), Act.SETTLE_FEE, found)
        appeals.confirm_fee(actor_of(request), _case(found, number).pk)
        return private(_public_case(_case(found, number)))


class AppealLateHearingView(APIView):
    @extend_schema(
        operation_id="hear_late_appeal",
        tags=["court"],
        request=CauseSerializer,
        responses={200: PublicAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, number: int) -> Response:
        """The committee hears a case that came late, for a stated cause; never the clock's signals (8.2.5)."""
        found = event_at(request, event)
        require(actor_of(request), Act.HEAR_LATE, found)
        given = checked(CauseSerializer, request)
        appeals.hear_late(actor_of(request), _case(found, number).pk, cause=given["cause"])
        return private(_public_case(_case(found, number)))


class AppealRevisionView(APIView):
    @extend_schema(
        operation_id="take_up_appeal_again",
        tags=["court"],
        request=AgainSerializer,
        responses={201: PublicAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, number: int) -> Response:
        """The convenor of a decided case takes it up again; the answer is the new case, which names the old one. The section
        may be closed. Of a joined appeal the leading case is taken up.
        """
        found = event_at(request, event)
        reason = checked(AgainSerializer, request)["reason"]
        case = panels.take_up_again(actor_of(request), _case(found, number).pk, reason=reason)
        return private(_public_case(_case(found, case.number)), status=201)


class AppealEvidenceListView(APIView):
    permission_classes = (AllowAny,)
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="add_evidence",
        tags=["court"],
        request={"multipart/form-data": EvidenceFieldsSerializer},
        responses={201: KeptEvidenceSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, number: int) -> Response:
        """Hand in a file as a party: an image or a PDF. The same file twice is kept once."""
        case = _case(event_at(request, event), number)
        given = checked(EvidenceFieldsSerializer, request)
        file = given["file"]
        row = exhibits.add_evidence(
            actor_of(request),
            case.pk,
            filename=file.name or "",
            content=file.read(LARGEST + 1),
            link=given["link"],
        )
        return private(KeptEvidenceSerializer(row).data, status=201)


class AppealWithdrawalView(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="withdraw_appeal",
        tags=["court"],
        request=PartySerializer,
        responses={200: OwnAppealSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, number: int) -> Response:
        """The appellant gives up, before the deliberation."""
        actor, case = actor_of(request), _case(event_at(request, event), number)
        link = checked(PartySerializer, request)["link"]
        appeals.withdraw_appeal(actor, case.pk, link=link)
        return private(_own_case(actor, case, link))
