"""Teams and their members, the games of matches (boards of teams, games of micro-matches), and the bracket of a knock-out."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import formats
from tournaments.errors import BadInput, NotFound
from tournaments.models import Entry, Section, TeamMember
from tournaments.selectors import matches, public
from tournaments.selectors.matches import Game, GroupRow, Match, Tie
from tournaments.services import matches as services
from tournaments.services.matches import BoardLine
from tournaments.web import rest
from tournaments.web.api.access import entry_in, pairing_in
from tournaments.web.api.drafts import BoardSerializer
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.api.rounds import SideSerializer
from tournaments.web.caching import section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at


class MemberSerializer(serializers.Serializer[TeamMember]):
    """`position` is the fixed order: 1 is the first board, those after the last board are substitutes."""

    id = serializers.IntegerField()
    position = serializers.IntegerField()
    name = serializers.CharField()
    rating = serializers.IntegerField()


class TeamSerializer(SideSerializer):
    members = MemberSerializer(many=True)


class MemberFieldsSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    rating = serializers.IntegerField(min_value=0, max_value=4000, default=0)


class MembersSerializer(serializers.Serializer[Any]):
    """The whole team in board order; whoever is left out leaves it, unless he has sat at a board."""

    members = serializers.ListField(child=MemberFieldsSerializer(), max_length=services.MOST_MEMBERS)


class MatchGameSerializer(serializers.Serializer[Any]):
    """A board of a match of teams, or a game of a micro-match.

    `first` sat there for the side that the match names as White, and has White here when `first_white`; `score` is
    told from his side. Members are null where nobody sat, and in micro-matches.
    """

    number = serializers.IntegerField()
    first = MemberSerializer(allow_null=True)
    second = MemberSerializer(allow_null=True)
    first_white = serializers.BooleanField()
    outcome = serializers.CharField()
    grade = serializers.CharField(allow_blank=True)
    score = serializers.CharField(allow_blank=True)
    pace = serializers.CharField(allow_blank=True)
    clock = serializers.CharField(allow_blank=True)


class MatchSerializer(serializers.Serializer[Any]):
    """A board of a public round with its games. `next_game` is the one a micro-match goes on with; `advances` who goes on.

    `version` is what a change of the match must name.
    """

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    white = EntryLinkSerializer()
    black = EntryLinkSerializer()
    outcome = serializers.CharField()
    grade = serializers.CharField(allow_blank=True)
    score = serializers.CharField(allow_blank=True)
    games = MatchGameSerializer(many=True)
    next_game = MatchGameSerializer(allow_null=True)
    advances = EntryLinkSerializer(allow_null=True)
    version = serializers.IntegerField()


class TeamBoardSerializer(serializers.Serializer[Any]):
    """`first` and `second` are members of the two teams, null where nobody sat."""

    first = serializers.IntegerField(allow_null=True)
    second = serializers.IntegerField(allow_null=True)
    outcome = serializers.CharField(default="UNPLAYED", max_length=16)
    grade = serializers.CharField(default="", allow_blank=True, max_length=12)


class MatchFieldsSerializer(serializers.Serializer[Any]):
    """`boards` for a match of teams, every board of it in order; `games` for a micro-match, the outcomes as played.

    `version` is the board's as you saw it, as for a result.
    """

    boards = serializers.ListField(child=TeamBoardSerializer(), required=False, max_length=20)
    games = serializers.ListField(child=serializers.CharField(max_length=16), required=False, max_length=40)
    version = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True, default="", max_length=500)


class AdvancingSerializer(serializers.Serializer[Any]):
    """`advances` is `w` or `b`, the side that the board names so; empty takes it back."""

    advances = serializers.CharField(allow_blank=True, max_length=1)
    version = serializers.IntegerField()
    reason = serializers.CharField(max_length=500)


class TieSerializer(serializers.Serializer[Any]):
    """A tie of the bracket. A side is null while it is not known; `round` and `board` find its games.

    `by_ruling`: the winner goes on whatever the result; `is_wrong`: an earlier result was corrected, and the arbiter has
    not said yet who plays or goes on here.
    """

    round = serializers.IntegerField()
    board = serializers.IntegerField()
    upper = EntryLinkSerializer(allow_null=True)
    lower = EntryLinkSerializer(allow_null=True)
    winner = EntryLinkSerializer(allow_null=True)
    score = serializers.CharField(allow_blank=True)
    is_bye = serializers.BooleanField()
    third_place = serializers.BooleanField()
    by_ruling = serializers.BooleanField()
    is_wrong = serializers.BooleanField()


class GroupRowSerializer(serializers.Serializer[Any]):
    entry = EntryLinkSerializer()
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    goes_on = serializers.BooleanField()
    by_lot = serializers.BooleanField(
        help_text="Equal in everything with the one above or below: a lot decided."
    )


class BracketSerializer(serializers.Serializer[Any]):
    """The ties by round of the knock-out, empty before the first is public; `groups` where groups were played before."""

    rounds = serializers.ListField(child=TieSerializer(many=True))
    groups = serializers.ListField(child=GroupRowSerializer(many=True))


def _team(entry: Entry, members: list[TeamMember]) -> dict[str, Any]:
    rows = [MemberSerializer(member).data for member in members]
    return {**SideSerializer(entry).data, "members": rows}


def _game(game: Game) -> dict[str, Any]:
    return {
        "number": game.number,
        "first": MemberSerializer(game.first).data if game.first else None,
        "second": MemberSerializer(game.second).data if game.second else None,
        "first_white": game.first_white,
        "outcome": game.outcome,
        "grade": game.grade,
        "score": game.score,
        "pace": str(game.pace),
        "clock": game.clock,
    }


def _match(match: Match) -> dict[str, Any]:
    pairing = match.pairing
    return {
        "id": pairing.pk,
        "round": pairing.round.number,
        "board": pairing.board,
        "white": EntryLinkSerializer(pairing.white).data,
        "black": EntryLinkSerializer(pairing.black).data,
        "outcome": pairing.outcome,
        "grade": pairing.grade,
        "score": match.score,
        "games": [_game(game) for game in match.games],
        "next_game": _game(match.coming) if match.coming else None,
        "advances": EntryLinkSerializer(match.winner).data if match.winner else None,
        "version": pairing.version,
    }


def _teams_of(request: Request, event: str, section: str) -> Section:
    found = section_at(request, event, section)
    if not formats.of(found).enters_teams:
        raise NotFound
    return found


class TeamListView(APIView):
    @extend_schema(
        operation_id="list_teams",
        tags=["matches"],
        parameters=[*rest.PAGE, OpenApiParameter("q", str, description="Part of a team's name.")],
        responses={200: rest.paged(TeamSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """Every team with its players in board order; 404 where single players play."""
        found = _teams_of(request, event, section)

        def body() -> dict[str, Any]:
            query = request.query_params.get("q", "")
            members = matches.members_of(found)
            teams = [e for e in public.ledger(found).entries.values() if public.found_by(e, query)]
            return rest.page_of(request, teams, lambda entry: _team(entry, members.get(entry.pk, [])))

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)


class MemberListView(APIView):
    @extend_schema(
        operation_id="set_members",
        tags=["matches"],
        request=MembersSerializer,
        responses={200: TeamSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, entry: int) -> Response:
        """The players of a team in board order."""
        found = entry_in(section_at(request, event, section), entry)
        given = rest.checked(MembersSerializer, request)["members"]
        wanted = [(member["name"], member["rating"]) for member in given]
        return rest.private(_team(found, services.set_members(actor_of(request), found.pk, wanted)))


class MatchListView(APIView):
    @extend_schema(
        operation_id="list_matches",
        tags=["matches"],
        parameters=rest.PAGE,
        responses={200: rest.paged(MatchSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str, number: int) -> HttpResponseBase:
        """The matches of a published round with line-ups and games; 404 where a board is one game."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            if not formats.of(found).has_matches(found) or public.published_round(found, number) is None:
                raise NotFound
            return rest.page_of(request, matches.public_matches(found, number), _match)

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)


class MatchView(APIView):
    @extend_schema(
        operation_id="read_match", tags=["matches"], responses={200: MatchSerializer, **rest.READ_ERRORS}
    )
    def get(self, request: Request, event: str, section: str, pairing: int) -> HttpResponseBase:
        """One match of a published round."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            match = matches.public_match(found, pairing) if formats.of(found).has_matches(found) else None
            if match is None:
                raise NotFound
            return _match(match)

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)

    @extend_schema(
        operation_id="record_match",
        tags=["matches"],
        request=MatchFieldsSerializer,
        responses={200: BoardSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Line-ups and results of a match of teams, or the games of a micro-match. The board's outcome follows from them."""
        found = section_at(request, event, section)
        board = pairing_in(found, pairing)
        given = rest.checked(MatchFieldsSerializer, request)
        wanted = "boards" if formats.of(found).enters_teams else "games"
        if wanted not in given:
            raise BadInput(fields={wanted: [str(serializers.Field.default_error_messages["required"])]})
        lines, named = given[wanted], {name: given[name] for name in ("version", "reason")}
        actor = actor_of(request)
        if formats.of(found).enters_teams:
            saved = services.record_team_match(
                actor, board.pk, [BoardLine(**line) for line in lines], **named
            )
        else:
            saved = services.record_stage_games(actor, board.pk, lines, **named)
        return rest.private(BoardSerializer(saved).data)


class AdvancingView(APIView):
    @extend_schema(
        operation_id="decide_tie",
        tags=["matches"],
        request=AdvancingSerializer,
        responses={200: BoardSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Who goes on from a knock-out match that its games leave level."""
        board = pairing_in(section_at(request, event, section), pairing)
        given = rest.checked(AdvancingSerializer, request)
        return rest.private(BoardSerializer(services.decide(actor_of(request), board.pk, **given)).data)


class BracketView(APIView):
    @extend_schema(
        operation_id="read_bracket",
        tags=["matches"],
        responses={200: BracketSerializer, **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """The knock-out as far as its rounds are public, and the tables of the groups before it."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            if not formats.of(found).has_bracket:
                raise NotFound
            groups = matches.groups(found) if formats.of(found).has_groups else []
            return {
                "rounds": [[_tie(tie) for tie in ties] for ties in matches.bracket_rounds(found)],
                "groups": [[_group_row(row) for row in rows] for rows in groups],
            }

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)


def _tie(tie: Tie) -> dict[str, Any]:
    sides = {name: getattr(tie, name) for name in ("upper", "lower", "winner")}
    return {
        "round": tie.round,
        "board": tie.board,
        **{name: EntryLinkSerializer(entry).data if entry else None for name, entry in sides.items()},
        "score": tie.score,
        "is_bye": tie.is_bye,
        "third_place": tie.third_place,
        "by_ruling": tie.by_ruling,
        "is_wrong": tie.is_wrong,
    }


def _group_row(row: GroupRow) -> dict[str, Any]:
    return {
        "entry": EntryLinkSerializer(row.entry).data,
        "rank": row.rank,
        "points": row.points,
        "goes_on": row.goes_on,
        "by_lot": row.by_lot,
    }
