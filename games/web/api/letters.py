"""Questions to the arbiter and letters to the organizing committee through the interface."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Letter
from games.permissions import Act, allowed, require
from games.selectors import letters as selectors
from games.services.court import letters
from games.services.court.letters import LONGEST, Draft
from games.web.api.appeals import LINK
from games.web.api.support import own_entries
from tournaments.errors import NotFound
from tournaments.web.http import actor_of
from tournaments.web.rest import PAGE, WRITE_ERRORS, checked, errors, event_at, page_of, paged, private


class LetterSerializer(serializers.Serializer[Any]):
    """A question or a letter; `answer` is empty and `answered_at` null until it is answered."""

    number = serializers.IntegerField()
    kind = serializers.CharField(help_text=", ".join(Letter.Kind.values))
    section = serializers.CharField()
    entry = serializers.IntegerField()
    sender = serializers.CharField()
    text = serializers.CharField()
    sent_at = serializers.DateTimeField()
    answer = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class LetterFieldsSerializer(serializers.Serializer[Any]):
    """`submission` is a number of your own: sent twice, it is one letter. `link` is the personal link of who has no account."""

    submission = serializers.CharField(max_length=64)
    kind = serializers.ChoiceField(choices=Letter.Kind.choices)
    text = serializers.CharField(max_length=LONGEST)
    entry = serializers.IntegerField(default=0, help_text="For a captain: for which of his players.")
    link = serializers.CharField(default="", allow_blank=True, max_length=40)


class LetterAnswerSerializer(serializers.Serializer[Any]):
    answer = serializers.CharField(max_length=LONGEST)


class LetterListView(APIView):
    permission_classes = (AllowAny,)  # a personal link will do; the service asks who acts

    @extend_schema(
        operation_id="list_letters",
        tags=["court"],
        parameters=[*PAGE, LINK],
        responses={200: paged(LetterSerializer), **errors(404)},
    )
    def get(self, request: Request, event: str) -> Response:
        """List what you wrote, with the answers; at the desk, what you answer."""
        found, actor = event_at(request, event), actor_of(request)
        link = request.query_params.get("link", "")
        if not link and allowed(actor.user, Act.READ_LETTERS, found):
            return private(page_of(request, selectors.received(actor, found), _shown))
        own = own_entries(request, found, link)
        rows = [row for entry in own for row in selectors.letters_of(entry, link)]
        return private(page_of(request, rows, _shown))

    @extend_schema(
        operation_id="send_letter",
        tags=["court"],
        request=LetterFieldsSerializer,
        responses={201: LetterSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """Ask the arbiter about your game, or write to the organizing committee (articles 13.1.3, 13.1.4)."""
        found, actor = event_at(request, event), actor_of(request)
        given = checked(LetterFieldsSerializer, request)
        link, wanted = given.pop("link"), given.pop("entry")
        own = [entry for entry in own_entries(request, found, link) if not wanted or entry.pk == wanted]
        if not own:
            raise NotFound
        letter = letters.send_letter(actor, own[0].section_id, Draft(**given), link=link, entry_id=own[0].pk)
        return private(_shown(letter), status=201)


class LetterAnswerView(APIView):
    @extend_schema(
        operation_id="answer_letter",
        tags=["court"],
        request=LetterAnswerSerializer,
        responses={200: LetterSerializer, **WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, number: int) -> Response:
        """Answer a question (arbiters) or a letter (the organizer), once."""
        found, actor = event_at(request, event), actor_of(request)
        require(actor, Act.READ_LETTERS, found)
        letter = Letter.objects.filter(event=found, number=number).first()
        if letter is None:
            raise NotFound
        given = checked(LetterAnswerSerializer, request)
        return private(_shown(letters.answer_letter(actor, letter.pk, text=given["answer"])))


def _shown(letter: Letter) -> dict[str, Any]:
    return {
        "number": letter.number, "kind": letter.kind, "section": letter.section.code, "entry": letter.entry_id,
        "sender": letter.sender, "text": letter.text, "sent_at": letter.sent_at, "answer": letter.answer,
        "answered_at": letter.answered_at,
    }  # fmt: skip
