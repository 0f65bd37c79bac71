"""Team sections: line-ups, boards, match points and board points, in a round robin and in a Swiss."""

from __future__ import annotations

import pytest

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import Entry, Event, MatchGame, Pairing, Role, Section, TeamMember
from tournaments.selectors import public, tables, workings
from tournaments.services import matches, results, rounds
from tournaments.services.event_import import import_event
from tournaments.services.matches import BoardLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def teams_of(organizer: Actor, *, teams: int, size: int = 3, **fields: object) -> Section:
    """Two boards and a substitute."""
    section = b.section(organizer, players=teams, team_boards=2, preset="TEAM", **fields)
    Event.objects.update(state=Event.State.OPEN)
    for entry in b.entry_list(section):
        names = [(f"{entry.player.name} / {n}", 2000 - n) for n in range(1, size + 1)]
        matches.set_members(organizer, entry.pk, names)
    section.refresh_from_db()
    return section


def lineup(entry: Entry, *positions: int | None) -> list[int | None]:
    pk_of = dict(entry.members.values_list("position", "pk"))
    return [None if position is None else pk_of[position] for position in positions]


def play(
    organizer: Actor,
    pairing: Pairing,
    *outcomes: str,
    first: tuple[int | None, ...] = (1, 2),
    second: tuple[int | None, ...] = (1, 2),
) -> Pairing:
    assert pairing.black is not None
    seats = zip(lineup(pairing.white, *first), lineup(pairing.black, *second), outcomes, strict=True)
    lines = [BoardLine(first=one, second=two, outcome=outcome) for one, two, outcome in seats]
    return matches.record_team_match(organizer, pairing.pk, lines, version=pairing.version)


@pytest.fixture
def section(organizer) -> Section:
    return teams_of(organizer, teams=4, format="TEAM_ROUND_ROBIN")


@pytest.fixture
def pairing(organizer, section) -> Pairing:
    return b.publish_next(organizer, section).pairings.select_related("white", "black").get(board=1)


class TestAMatch:
    @pytest.mark.parametrize(
        ("games", "outcome"),
        [
            (("WHITE", "BLACK"), "WHITE"),  # the first team has Black on board 2
            (("WHITE", "WHITE"), "DRAW"),
            (("DRAW", "WHITE"), "BLACK"),
            (("DRAW", "UNPLAYED"), "UNPLAYED"),
        ],
    )
    def test_its_outcome_follows_from_its_boards(self, organizer, pairing, games, outcome) -> None:
        assert play(organizer, pairing, *games).outcome == outcome

    def test_an_empty_board_is_lost_and_no_board_at_all_is_a_forfeit(self, organizer, pairing) -> None:
        found = play(organizer, pairing, "WHITE", "UNPLAYED", second=(1, None))
        assert (found.outcome, MatchGame.objects.get(number=2).outcome) == ("WHITE", "WHITE_FORFEITS")

        found = play(organizer, found, "UNPLAYED", "UNPLAYED", second=(None, None))
        assert found.outcome == "BLACK_FORFEITS"

    @pytest.mark.parametrize("first", [(2, 1), (1, 1), (None, 1)])
    def test_the_order_of_boards_is_fixed(self, organizer, pairing, first) -> None:
        with pytest.raises(BadInput):
            play(organizer, pairing, "WHITE", "WHITE", first=first)

        assert not MatchGame.objects.exists()

    def test_a_substitute_comes_in_below(self, organizer, pairing) -> None:
        assert play(organizer, pairing, "WHITE", "BLACK", first=(2, 3)).outcome == "WHITE"

    def test_nobody_of_another_team_sits_down(self, organizer, pairing) -> None:
        stranger = TeamMember.objects.exclude(entry__in=[pairing.white, pairing.black]).first()
        lines = [BoardLine(first=stranger.pk, second=None), BoardLine(first=None, second=None)]

        with pytest.raises(BadInput):
            matches.record_team_match(organizer, pairing.pk, lines, version=0)

    def test_two_writers_do_not_overwrite_each_other(self, organizer, pairing) -> None:
        play(organizer, pairing, "WHITE", "UNPLAYED")

        with pytest.raises(Conflict):
            play(organizer, pairing, "BLACK", "UNPLAYED")

    def test_only_those_with_a_role_enter_it(self, organizer, section, pairing) -> None:
        lines = [BoardLine(first=None, second=None)] * 2
        with pytest.raises(NotFound):
            stranger = b.with_role(section.event, Role.Kind.PLAYER)
            matches.record_team_match(stranger, pairing.pk, lines, version=0)

        assert not MatchGame.objects.exists()


class TestTheTable:
    def test_match_points_come_first_then_board_points(self, organizer, section) -> None:
        b.draft(organizer, section)
        for round_ in rounds.publish_all_rounds(organizer, section.pk):
            for pairing in round_.pairings.select_related("white", "black"):
                better = pairing.white.number < pairing.black.number
                # Number 1 wins its matches 3-1 on boards, the others 4-0.
                close = 1 in (pairing.white.number, pairing.black.number)
                games = ("WHITE" if better else "BLACK", "DRAW" if close else "BLACK" if better else "WHITE")
                play(organizer, pairing, *games)
        table = results.close_section(organizer, section.pk)

        assert [(r["number"], r["points"], r["values"]["BOARD_POINTS"]) for r in table.rows] == [
            (1, 6, 9), (2, 4, 9), (3, 2, 5), (4, 0, 1),
        ]  # fmt: skip

    def test_a_swiss_of_teams_pairs_by_match_points(self, organizer) -> None:
        section = teams_of(organizer, teams=5, format="TEAM_SWISS", rounds_total=3)
        one = b.publish_next(organizer, section)
        for pairing in one.pairings.filter(black__isnull=False).select_related("white", "black"):
            play(organizer, pairing, "WHITE", "BLACK")
        b.work_all(section)
        bye = one.pairings.get(black=None).white

        rows = section.standings.get(after_round=1).rows
        own = next(row for row in rows if row["entry"] == bye.pk)
        assert (own["points"], own["values"]["BOARD_POINTS"]) == (2, 2)  # half of the boards won
        two = b.draft(organizer, section)
        assert two.canonical_input


class TestTheList:
    def test_a_player_who_sat_at_a_board_stays_in_the_list(self, organizer, pairing) -> None:
        play(organizer, pairing, "WHITE", "WHITE")

        with pytest.raises(WrongState):
            matches.set_members(organizer, pairing.white_id, [("Somebody else", 0)])

        assert pairing.white.members.count() == 3

    @pytest.mark.parametrize("names", [["A", "A"], ["A", " "], ["A" * 121]])
    def test_a_wrong_list_is_refused(self, organizer, section, names) -> None:
        with pytest.raises(BadInput):
            matches.set_members(organizer, section.entries.first().pk, [(name, 0) for name in names])

    def test_a_section_of_single_players_has_no_teams(self, organizer) -> None:
        section = b.section(organizer, players=1)

        with pytest.raises(WrongState):
            matches.set_members(organizer, section.entries.get().pk, [("A", 0)])

    def test_the_desk_takes_one_name_a_line(self, organizer, section) -> None:
        entry = section.entries.first()
        client = client_of(organizer.user)

        client.post(
            f"/desk/entries/{entry.pk}/members/", {"members": "陈思远，2210\nMarek Nowak, 2250\n\nLi"}
        )

        assert list(entry.members.values_list("position", "name", "rating")) == [
            (1, "陈思远", 2210), (2, "Marek Nowak", 2250), (3, "Li", 0),
        ]  # fmt: skip
        assert "Marek Nowak, 2250" in client.get(f"/desk/entries/{entry.pk}/").content.decode()


def test_a_match_is_entered_at_the_desk_and_read_in_public(client, organizer, section, pairing) -> None:
    desk = client_of(organizer.user)
    at = f"/desk/pairings/{pairing.pk}/match/"
    page = desk.get(at).content.decode()
    assert page.count('<select id="outcome-') == 2
    home, away = (lineup(entry, 1, 2) for entry in (pairing.white, pairing.black))

    answer = desk.post(
        at,
        {
            "version": 0, "first-1": home[0], "second-1": away[0], "outcome-1": "WHITE",
            "first-2": home[1], "second-2": away[1], "outcome-2": "DRAW",
        },
    )  # fmt: skip

    assert answer.status_code == 302
    pairing.refresh_from_db()
    assert pairing.outcome == "WHITE"
    b.work_all(section)
    book = public.ledger(section)
    table = tables.table(tables.editions(section)[0], book)
    told = workings.workings(book, table=table, entry=book.entries[pairing.white_id])
    assert next(each.value for each in told if each.code == "BOARD_POINTS") == 3
    base = f"/e/{section.event.code}/{section.code}"
    body = client.get(f"{base}/r/1/match/1/", headers={"accept-language": "en"}).content.decode()
    assert "won by the first-named" in body
    assert f"{pairing.white.player.name} / 1" in body
    assert f"{base}/r/1/match/1/" in client.get(f"{base}/r/1/").content.decode()
    team = client.get(f"{base}/p/{pairing.white_id}/").content.decode()
    assert f"{pairing.white.player.name} / 3" in team


def test_matches_and_line_ups_go_to_another_site(organizer, section, pairing) -> None:
    play(organizer, pairing, "WHITE", "DRAW", second=(2, 3))
    document = export_event(section.event)

    copied = import_event(organizer, as_text(document).encode()).event

    again = export_event(copied)
    assert again["sections"] == document["sections"]
    assert document["sections"][0]["rounds"][0]["pairings"][0]["games"][0]["second"] == 2
    assert MatchGame.objects.count() == 4


def test_a_bracket_goes_to_another_site(organizer) -> None:
    section = b.section(organizer, players=4, format="KNOCKOUT", third_place=True)
    level = b.publish_next(organizer, section).pairings.get(board=1)
    level = results.record_outcome(organizer, level.pk, outcome="DRAW", version=0)
    matches.decide(organizer, level.pk, advances="b", version=level.version, reason="blitz")
    document = export_event(section.event)

    copied = import_event(organizer, as_text(document).encode()).event

    assert export_event(copied)["sections"] == document["sections"]
    assert len(document["sections"][0]["bracket"]) == 4
    assert document["sections"][0]["rounds"][0]["pairings"][0]["advances"] == "b"


@pytest.mark.parametrize(("language", "words"), [("en", "4 teams"), ("zh-hans", "4队")])
def test_the_desk_counts_teams_as_teams(organizer, section, language: str, words: str) -> None:
    client = client_of(organizer.user)
    client.cookies["django_language"] = language

    page = client.get(f"/desk/sections/{section.pk}/").content.decode()

    assert f">{words}<" in page
