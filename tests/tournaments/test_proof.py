"""A published round proves itself: computed again, asked about, and read by another program."""

from __future__ import annotations

import json

import pytest
from django.utils.translation import override

from tests.tournaments import builders as b
from tests.tournaments import public_addresses
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.engine import swiss, trf
from tournaments.errors import BadInput, WrongState
from tournaments.models import Entry, Event, Round, Section
from tournaments.selectors import proof
from tournaments.web.throttling import QUESTIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer) -> Section:
    """Nine players of a public event, three rounds played."""
    section = b.section(organizer, players=9, rounds_total=5, tiebreaks=["SOLKOFF"])
    Event.objects.update(state=Event.State.OPEN)
    for _round in range(3):
        b.play_round(organizer, section)
    return section


def last(section: Section) -> Round:
    round_ = section.rounds.get(number=3)
    round_.section = section
    return round_


def address(section: Section, name: str) -> str:
    base = public_addresses.of_round(section, 3)["why"]
    return base + {"recompute": "recompute/", "not": "not/", "trf": "before.trf"}[name]


def test_the_stored_input_gives_the_stored_digest(section) -> None:
    shown = proof.prove(last(section))

    assert shown.is_proven
    assert shown.boards_agree


def test_an_input_that_was_tampered_with_proves_nothing(section) -> None:
    round_ = last(section)
    content = json.loads(round_.canonical_input)
    content["rounds"][0] = [[w, x, "DRAW" if o == "WHITE" else o, g] for w, x, o, g in content["rounds"][0]]
    round_.canonical_input = json.dumps(content, separators=(",", ":"), sort_keys=True)

    assert not proof.prove(round_).is_proven


def test_results_corrected_later_do_not_reach_the_proof(section) -> None:
    Event.objects.update(state=Event.State.OPEN)
    section.rounds.get(number=1).pairings.filter(outcome="WHITE").update(outcome="BLACK")

    assert proof.prove(last(section)).is_proven


def test_anybody_may_compute_it_again(client, section) -> None:
    with override("en"):
        answer = client.post(address(section, "recompute"), headers={"accept-language": "en"})

    assert answer.status_code == 200
    assert "Proven:" in answer.content.decode()
    assert answer.content.decode().count(last(section).digest) >= 2
    assert not answer.cookies


def test_a_round_that_is_not_public_answers_nothing(client, organizer, section) -> None:
    draft = b.draft(organizer, section)
    at = public_addresses.of_round(section, draft.number)["why"]

    assert client.post(f"{at}recompute/").status_code == 404
    assert client.post(f"{at}not/", {"first": 1, "second": 2}).status_code == 404
    assert client.get(f"{at}before.trf").status_code == 404


def test_who_asks_too_much_has_to_wait(client, section) -> None:
    said = [client.post(address(section, "recompute")).status_code for _ in range(QUESTIONS + 1)]

    assert said == [200] * QUESTIONS + [429]


def test_two_who_met_are_told_in_which_round(section) -> None:
    earlier = section.rounds.get(number=1).pairings.filter(black__isnull=False).first()
    first, second = earlier.white.number, earlier.black.number

    with override("en"):
        told = proof.ask(last(section), first=first, second=second)

    assert told.sentences == (f"{told.first} and {told.second} do not meet: they have met in round 1 (C1).",)


def test_two_who_meet_are_told_so(section) -> None:
    board = last(section).pairings.filter(black__isnull=False).first()

    with override("en"):
        told = proof.ask(last(section), first=board.white.number, second=board.black.number)

    assert told.sentences == (f"{told.first} and {told.second} do meet in this round.",)


def test_every_pair_has_an_answer_in_both_languages(section) -> None:
    round_ = last(section)
    for language in ("en", "zh-hans"):
        with override(language):
            for second in range(2, 10):
                told = " ".join(proof.ask(round_, first=1, second=second).sentences)
                assert told and "%(" not in told


@pytest.mark.parametrize(("first", "second"), [(1, 1), (1, 77)])
def test_a_question_about_nobody_is_refused(section, first, second) -> None:
    with pytest.raises(BadInput):
        proof.ask(last(section), first=first, second=second)


@pytest.mark.parametrize("given", [{}, {"first": "x", "second": "2"}, {"first": "1", "second": "1"}])
def test_a_wrong_question_is_told_on_the_page(client, section, given) -> None:
    answer = client.post(address(section, "not"), given)

    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()


def test_a_round_drawn_by_a_table_has_nothing_to_prove(organizer) -> None:
    section = b.section(organizer, players=4, format="ROUND_ROBIN")
    round_ = b.publish_next(organizer, section)

    with pytest.raises(WrongState):
        proof.prove(round_)


def boards_of(section: Section, numbers: dict[int, int] | None = None) -> set[tuple[int, int]]:
    number_of = dict(Entry.objects.filter(section=section).values_list("pk", "number"))
    new = numbers or {n: n for n in number_of.values()}
    rows = last(section).pairings.filter(board__gt=0).values_list("white_id", "black_id")
    return {(new[number_of[w]], new[number_of[x]]) for w, x in rows}


def test_another_program_gets_the_same_boards_from_the_report_file(client, section) -> None:
    answer = client.get(address(section, "trf"))

    read = trf.read(answer.content.decode())
    paired = swiss.pair_round(read.tournament)

    assert {(x.white, x.black) for x in paired.boards if x.black} == boards_of(section)
    assert [p.name for p in read.tournament.players][:2] == ["Player 1", "Player 2"]


def test_so_it_does_where_the_running_tie_break_orders_the_players(organizer) -> None:
    section = b.section(organizer, players=9, rounds_total=5, ranking="SOLKOFF", tiebreaks=["SOLKOFF"])
    for _round in range(3):
        b.play_round(organizer, section)
    round_ = last(section)
    order = json.loads(round_.canonical_input)["order"]
    assert order != sorted(order)

    read = trf.read(proof.report_before(round_))
    paired = swiss.pair_round(read.tournament)

    places = {number: place for place, number in enumerate(order, start=1)}
    assert {(x.white, x.black) for x in paired.boards if x.black} == boards_of(section, places)


def test_the_desk_asks_about_a_draft(organizer, section) -> None:
    draft = b.draft(organizer, section)
    client = client_of(organizer.user)

    page = client.get(f"/desk/sections/{section.pk}/rounds/{draft.number}/why-not/?first=1&second=2")

    assert page.status_code == 200
    assert "1 Player 1 – 2 Player 2" in page.content.decode()
    link = f"/desk/sections/{section.pk}/rounds/{draft.number}/why-not/"
    assert link in client.get(f"/desk/sections/{section.pk}/rounds/{draft.number}/draft/").content.decode()


def test_a_player_reads_why_he_has_this_opponent(client, section) -> None:
    entry = section.entries.get(number=1)
    for name in ("player", "my"):
        body = client.get(
            public_addresses.of_entry(entry)[name], headers={"accept-language": "en"}
        ).content.decode()
        whys = body.split('<dl class="whys">')[1].split("</dl>")[0]
        assert whys.count("<dt>") == 3
        assert "1 Player 1 is number 1 of the score group of 0, in the upper half." in body


@pytest.mark.parametrize(("name", "queries"), [("trf", 6), ("recompute", 10), ("not", 11)])
def test_a_question_makes_so_many_queries(client, section, django_assert_num_queries, name, queries) -> None:
    ask = client.get if name == "trf" else client.post
    with django_assert_num_queries(queries):
        answer = ask(address(section, name), {} if name == "trf" else {"first": 1, "second": 2})
    assert answer.status_code == 200
