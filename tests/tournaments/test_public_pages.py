"""Public pages: they answer in both languages, say what is so, and send nothing that does not belong there."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import html
import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.tournaments import builders, public_addresses
from tournaments.engine.types import Outcome
from tournaments.models import Event, Pairing, Section
from tournaments.selectors import calendar

pytestmark = pytest.mark.django_db

VOID = {"meta", "link", "input", "br", "hr", "img", "path", "rect", "circle", "col"}


class Balance(HTMLParser):
    """Collects end tags that close nothing, and ids that stand twice."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.ids.append(values["id"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> in {self.open[-3:]}")
        else:
            self.open.pop()


def text_of(body: str) -> str:
    """The words of a page, one space between, none before a stop."""
    body = re.sub(r"<(script|style|noscript)\b.*?</\1>", " ", body, flags=re.DOTALL)
    return re.sub(r" ([;,.])", r"\1", " ".join(re.sub(r"<[^>]+>", " ", body).split()))


def page(client: Client, address: str, language: str = "en") -> str:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.fixture
def section() -> Section:
    """Nine players, three rounds with a bye each and a forfeit, all three tables."""
    section = f.make_section(rounds_total=7)
    entries = f.make_entries(section, 9)
    f.play_rounds(section, entries, 3)
    section.rounds.update(canonical_input="input", digest="0" * 64, engine="swiss")
    for number in (1, 2, 3):
        f.make_standings(section, after_round=number)
    return section


@pytest.fixture
def entry(section: Section):
    return section.entries.select_related("section__event").get(number=1)


class TestEveryPage:
    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    def test_answers_in_the_language_asked_for(self, client, section, entry, language) -> None:
        for name, address in public_addresses.everything(section, entry).items():
            answer = client.get(address, headers={"accept-language": language})

            assert answer.status_code == 200, name
            if "html" in answer.headers["Content-Type"]:
                expected = {"en": 'lang="en"', "zh-hans": 'lang="zh-Hans"'}[language]
                assert expected in answer.content.decode()[:200], name

    def test_sets_no_cookie_and_says_what_it_varies_by(self, client, section, entry) -> None:
        for name, address in public_addresses.everything(section, entry).items():
            answer = client.get(address)

            assert not answer.cookies, name
            vary = {word.strip() for word in answer.headers["Vary"].split(",")}
            assert {"Accept-Language", "Cookie"} <= vary, name

    def test_is_not_sent_again_to_a_reader_who_has_it(self, client, section, entry) -> None:
        for name, address in public_addresses.everything(section, entry).items():
            first = client.get(address)
            again = client.get(address, headers={"if-none-match": first.headers["ETag"]})
            other = client.get(
                address, headers={"if-none-match": first.headers["ETag"], "accept-language": "en"}
            )

            assert again.status_code == 304, name
            assert again.content == b"", name
            # A file without words is the same in every language.
            assert other.status_code == (304 if other.headers["ETag"] == first.headers["ETag"] else 200), name

    def test_is_sent_again_when_a_result_came_in(self, client, section, entry) -> None:
        addresses = public_addresses.of_section(section) | public_addresses.of_entry(entry)
        tags = {name: client.get(address).headers["ETag"] for name, address in addresses.items()}

        f.bump(section, public=True)

        for name, address in addresses.items():
            again = client.get(address, headers={"if-none-match": tags[name]})
            same = name.endswith("calendar") or name in {"notices_feed", "home"}  # no result stands in these
            assert again.status_code == (304 if same and name != "my_calendar" else 200), name

    def test_goes_over_the_network_packed(self, client, section, entry) -> None:
        address = public_addresses.of_section(section)["standings"]

        plain = client.get(address)
        packed = client.get(address, headers={"accept-encoding": "gzip"})

        assert gzip.decompress(packed.content) == plain.content
        headers = {"accept-encoding": "gzip", "if-none-match": packed.headers["ETag"]}
        assert client.get(address, headers=headers).status_code == 304

    def test_is_well_formed(self, client, section, entry) -> None:
        for name, address in public_addresses.everything(section, entry).items():
            answer = client.get(address)
            if "html" not in answer.headers["Content-Type"]:
                continue
            balance = Balance()
            balance.feed(answer.content.decode())

            assert balance.faults == [], name
            assert balance.open == [], name
            assert len(balance.ids) == len(set(balance.ids)), name

    def test_every_link_leads_somewhere(self, client, section, entry) -> None:
        """Of the files the printed book is left out, which takes its time, and the report of a made-up input: both have
        tests of their own.
        """
        links = set()
        for name, address in public_addresses.everything(section, entry).items():
            answer = client.get(address)
            if "html" in answer.headers["Content-Type"]:
                found = re.findall(r'href="([^"#]+)', answer.content.decode())
                links |= {(name, urljoin(address, html.unescape(link))) for link in found}
        wanted = {
            link: name
            for name, link in sorted(links)
            if not link.startswith(("/static/", "mailto:", "/desk/"))
        }

        broken = {
            link: name
            for link, name in wanted.items()
            if not link.endswith((".pdf", "/before.trf")) and client.get(link).status_code != 200
        }

        assert len(wanted) > 40
        assert broken == {}

    def test_answers_to_reading_only(self, client, section, entry) -> None:
        for name, address in public_addresses.everything(section, entry).items():
            assert client.post(address).status_code == 405, name
            assert client.head(address).status_code == 200, name


class TestEmptyStates:
    def test_no_event(self, client) -> None:
        assert "No tournament is public yet." in page(client, "/")

    def test_an_event_without_sections(self, client) -> None:
        event = f.make_event()

        assert "has no section yet" in page(client, reverse("public:event", args=[event.code]))
        assert "no notice yet" in page(client, reverse("public:notices", args=[event.code]))

    @pytest.mark.parametrize("players", [0, 4])
    def test_a_section_before_round_1(self, client, players) -> None:
        section = f.make_section()
        f.make_entries(section, players)
        addresses = public_addresses.of_section(section)

        assert "Round 1 is not published yet" in page(client, addresses["section"])
        assert "once round 1 is published" in page(client, addresses["standings"])
        assert "once round 1 is published" in page(client, addresses["cross"])
        assert "No round is published yet" in page(client, addresses["results"])
        assert "Round 1 is not published yet" in page(client, addresses["screen"])
        assert ("Nobody has entered yet" in page(client, addresses["players"])) is (players == 0)

    def test_a_round_without_its_table_yet(self, client) -> None:
        section = f.make_section()
        f.make_round(section, f.draw(f.make_entries(section, 4), 1))

        assert "being computed" in page(client, public_addresses.of_section(section)["standings"])

    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    def test_before_round_1_every_page_answers(self, client, language) -> None:
        section = f.make_section()
        entry = f.make_entries(section, 3)[0]

        for address in (public_addresses.of_section(section) | public_addresses.of_entry(entry)).values():
            page(client, address, language)


class TestNothingThere:
    @pytest.mark.parametrize(
        "path",
        [
            "/e/nosuch/",
            "/e/nosuch/-/notices/",
            "/e/nosuch/open/",
            "/e/{event}/nosuch/",
            "/e/{event}/open/r/9/",
            "/e/{event}/open/r/0/",
            "/e/{event}/open/r/9/names/",
            "/e/{event}/open/r/9/why/",
            "/e/{event}/open/r/9/why/input.json",
            "/e/{event}/open/p/999999/",
            "/e/{event}/open/p/999999/working/",
            "/e/{event}/open/standings/?after=9",
            "/e/{event}/open/standings/?after=x",
            "/e/{event}/open/standings/?after=²",
            "/my/nosuch/",
            "/my/nosuch/calendar.ics",
        ],
    )
    def test_is_a_404_in_words(self, client, section, path) -> None:
        answer = client.get(path.format(event=section.event.code), headers={"accept-language": "en"})

        assert answer.status_code == 404
        assert "There is nothing at this address" in answer.content.decode()
        assert not answer.cookies

    def test_an_entry_of_another_section_has_no_page_here(self, client, section) -> None:
        other = f.make_section(section.event, code="b")
        stranger = f.make_entry(other, name="Somebody Else")

        address = reverse("public:player", args=[section.event.code, section.code, stranger.pk])
        assert client.get(address).status_code == 404


class TestHome:
    def test_sorts_by_time_and_leaves_drafts_out(self, client) -> None:
        today = timezone.localdate()
        day = dt.timedelta(days=1)
        f.make_event(name="Running Open", starts_on=today - day, ends_on=today + day)
        f.make_event(name="Coming Open", starts_on=today + 9 * day, ends_on=today + 10 * day)
        f.make_event(name="Finished Open", starts_on=today - 9 * day, ends_on=today - 8 * day)
        f.make_event(name="Secret Open", state=Event.State.DRAFT)

        words = text_of(page(client, "/"))

        order = [
            words.index(w)
            for w in ("Running now", "Running Open", "Soon", "Coming Open", "Past", "Finished Open")
        ]
        assert order == sorted(order)
        assert "Secret Open" not in words

    @pytest.mark.parametrize("query", ["montpellier", "MONTPÉLLIER", "open mont", "mp19"])
    def test_finds_by_name_place_and_code(self, client, query) -> None:
        f.make_event(name="Open de Montpellier", code="mp19")
        f.make_event(name="Other", code="xy")

        words = text_of(page(client, f"/?q={query}"))

        assert "Open de Montpellier" in words
        assert "Other" not in words

    def test_says_when_nothing_is_found(self, client) -> None:
        f.make_event()

        assert "No tournament matches “nosuch&lt;b&gt;”" in page(client, "/?q=nosuch%3Cb%3E")


class TestRound:
    def test_state_in_words(self, client) -> None:
        section = f.make_section(rounds_total=7)
        entries = f.make_entries(section, 4)
        f.make_round(
            section,
            [(entries[0], entries[1], Outcome.WHITE), (entries[2], entries[3], Outcome.UNPLAYED)],
            published_at=dt.datetime(2026, 11, 28, 5, 40, tzinfo=dt.UTC),
            starts_at=dt.datetime(2026, 11, 28, 6, 0, tzinfo=dt.UTC),
        )

        for name in ("event", "section"):
            words = text_of(page(client, public_addresses.of_section(section)[name]))
            assert "Round 1 of 7, published 11-28 13:40, start: 11-28 14:00; results 1 of 2 in." in words

    @pytest.mark.parametrize("state", ["OPEN", "PAIRED"])
    def test_an_announced_start_is_told_and_nothing_else_of_its_round(self, client, section, state) -> None:
        starts_at = dt.datetime(2026, 11, 29, 1, 0, tzinfo=dt.UTC)
        f.make_round(section, [], state=state, starts_at=starts_at)

        for name in ("event", "section"):
            words = text_of(page(client, public_addresses.of_section(section)[name]))
            assert "Round 3 of 7" in words
            assert "Round 4 starts: 11-29 09:00" in words
            assert "Round 4 of 7" not in words
        assert client.get(public_addresses.of_round(section, 4)["round"]).status_code == 404

    def test_byes_and_absences_stand_in_words(self, client, section) -> None:
        words = text_of(page(client, public_addresses.of_section(section)["section"]))

        assert "Without a game" in words
        assert "– bye (2 points)" in words
        assert "0000" not in words

    def test_the_section_address_shows_the_latest_round(self, client, section) -> None:
        latest = page(client, public_addresses.of_section(section)["section"])
        third = page(client, public_addresses.of_round(section, 3)["round"])

        def rows(body: str) -> list[str]:
            return re.findall(r"<tr data-keys.*?</tr>", body, flags=re.DOTALL)

        assert rows(latest) == rows(third)
        assert len(rows(latest)) == 4

    def test_by_name_goes_by_pinyin(self, client) -> None:
        section = f.make_section()
        zhang, abel = (
            f.make_entry(section, number=1, name="张伟"),
            f.make_entry(section, number=2, name="Abel X"),
        )
        ouyang, bo = (
            f.make_entry(section, number=3, name="欧阳修"),
            f.make_entry(section, number=4, name="Żuk Y"),
        )
        f.make_round(section, [(zhang, abel, Outcome.UNPLAYED), (ouyang, bo, Outcome.UNPLAYED)])

        body = page(client, public_addresses.of_round(section, 1)["round_names"], "zh-hans")

        names = re.findall(r'<th scope="row" class="name"><a[^>]*><span class="nm">([^<]+)</span>', body)
        assert names == ["Abel X", "欧阳修", "张伟", "Żuk Y"]

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("zhangwei", {"张伟"}),
            ("zhang", {"张伟"}),
            ("zw", {"张伟"}),
            ("张", {"张伟"}),
            ("shan", {"单雄"}),
            ("ouyang", {"欧阳修"}),
            ("Muller", {"Jürgen Müller"}),
            ("aissata", {"Aïssata Ndiaye"}),
            ("3", {"李小明"}),
            ("nobody", set()),
        ],
    )
    def test_a_name_is_found_without_script(self, client, section, query, found) -> None:
        body = page(client, f"{public_addresses.of_section(section)['players']}?q={query}", "zh-hans")

        names = re.findall(r'<th scope="row" class="name"><a[^>]*><span class="nm">([^<]+)</span>', body)
        assert set(names) == found

    def test_filters_by_club(self, client, section) -> None:
        body = page(client, f"{public_addresses.of_section(section)['players']}?club=Beijing", "zh-hans")

        assert body.count("<tr data-keys") == section.entries.filter(player__club="Beijing").count() == 3


class TestStandings:
    def test_provisional_says_how_many_results_are_in(self, client) -> None:
        section = f.make_section()
        entries = f.make_entries(section, 4)
        boards = f.draw(entries, 1)
        f.make_round(section, [(boards[0][0], boards[0][1], Outcome.WHITE), boards[1]])
        f.make_standings(section)

        words = text_of(page(client, public_addresses.of_section(section)["standings"]))

        assert "provisional After round 1: 1 of 2 results in." in words

    def test_a_round_without_any_result_leaves_the_table_before_it(self, client, section) -> None:
        f.make_round(section, f.draw(list(section.entries.all()), 4))
        f.make_standings(section)
        address = public_addresses.of_section(section)["standings"]

        assert "After round 3." in text_of(page(client, address))
        assert "After round 4: 0 of 4 results in." in text_of(page(client, f"{address}?after=4"))

    def test_the_heads_explain_themselves(self, client, section) -> None:
        body = page(client, public_addresses.of_section(section)["standings"])

        assert "Solkoff without the highest and the lowest opponent" in body
        assert body.count('<details class="explain">') == 3

    def test_shared_places_are_marked(self, client) -> None:
        section = f.make_section(tiebreaks=[])
        entries = f.make_entries(section, 2)
        f.make_round(section, [(entries[0], entries[1], Outcome.DRAW)])
        f.make_standings(section)

        words = text_of(page(client, public_addresses.of_section(section)["standings"]))

        assert words.count("1 = shared") == 2

    def test_whoever_left_is_marked(self, client, section) -> None:
        section.entries.filter(number=2).update(status="WITHDRAWN", withdrawn_after_round=2)
        f.bump(section, public=True)

        body = page(client, public_addresses.of_section(section)["standings"])

        assert body.count(' gone"') == 1

    def test_a_ruling_stands_on_a_line_of_its_own(self, client, section, entry) -> None:
        f.make_adjustment(entry, points=-2, after_round=2, reason="coaching")
        f.make_standings(section)

        assert "-2 by ruling" in page(client, public_addresses.of_section(section)["standings"])
        assert "-2 points by ruling after round 2: coaching" in text_of(
            page(client, public_addresses.of_entry(entry)["player"])
        )
        assert "-2 points by ruling. coaching" in page(
            client, public_addresses.of_section(section)["notices"]
        )

    def test_the_working_adds_up(self, client, section, entry) -> None:
        address = public_addresses.everything(section, entry)["working"]
        row = next(r for r in section.standings.get(after_round=3).rows if r["entry"] == entry.pk)

        body = page(client, address)

        part = body[body.index('id="SOLKOFF"') : body.index('id="WINS"')]
        gave = [int(n) for n in re.findall(r'<td class="num">\d+</td><td class="num">(\d+)</td>', part)]
        assert sum(gave) == row["values"]["SOLKOFF"]
        assert len(gave) == 3


class TestPointsAreTheSameEverywhere:
    """One player's points on every page that tells them."""

    def pages(self, client: Client, section: Section) -> dict[int, dict[str, int]]:
        found: dict[int, dict[str, int]] = {entry.number: {} for entry in section.entries.all()}
        addresses = public_addresses.of_section(section)
        for name in ("cross", "players"):
            for number, points in self.last_cells(page(client, addresses[name])).items():
                found[number][name] = points
        table = section.standings.order_by("-after_round").first()
        for row in table.rows if table else []:
            found[row["number"]]["standings"] = row["points"]
        for entry in section.entries.all():
            words = text_of(page(client, public_addresses.of_entry(entry)["player"]))
            found[entry.number]["player"] = int(re.search(r"Points (-?\d+)", words)[1])
        return found

    def last_cells(self, body: str) -> dict[int, int]:
        result = {}
        for row in re.findall(r"<tr[^>]*data-keys=.*?</tr>", body, flags=re.DOTALL):
            cells = re.findall(r'<td class="n(?: pts)?">(-?\d*)', row)
            number = int(re.search(r'data-keys="[^"]* (\d+)"', row)[1])
            result[number] = int(cells[-1])
        return result

    def header_of_next_round(self, client: Client, section: Section) -> dict[int, int]:
        entries = list(section.entries.order_by("number"))
        f.make_round(section, f.draw(entries, 4))
        body = page(client, public_addresses.of_round(section, 4)["round_names"])
        rows = re.findall(r"<tr data-keys=.*?</tr>", body, flags=re.DOTALL)
        return {
            int(re.search(r'data-keys="[^"]* (\d+)"', row)[1]): int(
                re.search(r'<td class="n">(-?\d+)</td>', row)[1]
            )
            for row in rows
        }

    def check(self, client: Client, section: Section) -> None:
        for number in (1, 2, 3):
            f.make_standings(section, after_round=number)
        found = self.pages(client, section)
        before = self.header_of_next_round(client, section)
        for number, points in found.items():
            assert len({*points.values(), before[number]}) == 1, (number, points, before[number])

    def test_with_byes_forfeits_and_a_ruling(self, client) -> None:
        section = f.make_section(rounds_total=7)
        entries = f.make_entries(section, 9)
        f.play_rounds(section, entries, 3)
        f.make_adjustment(entries[2], points=-1, after_round=2)

        self.check(client, section)

    def test_while_a_round_just_published_has_no_result_yet(self, client) -> None:
        """Who has the bye of the new round has its points there, and nowhere that speaks of the round before."""
        section = f.make_section(rounds_total=7)
        entries = f.make_entries(section, 5)
        f.play_rounds(section, entries, 3)
        before = self.pages(client, section)

        f.make_round(section, f.draw(entries, 4))

        for number in (1, 2, 3, 4):
            f.make_standings(section, after_round=number)
        now = self.pages(client, section)
        addresses = public_addresses.of_section(section)
        assert {n: {**p, "standings": 0} for n, p in now.items()} == {
            n: {**p, "standings": 0} for n, p in before.items()
        }
        assert "After round 3." in text_of(page(client, addresses["standings"]))
        assert "Points are those after round 3." in text_of(page(client, addresses["cross"]))

    def test_with_games_annulled_by_a_withdrawal(self, client) -> None:
        section = f.make_section(
            format="ROUND_ROBIN",
            withdrawal="ANNUL",
            preset="CN_ROUND_ROBIN",
            rounds_total=9,
            tiebreaks=["WINS"],
        )
        entries = f.make_entries(section, 10)
        f.play_rounds(section, entries, 3)
        section.entries.filter(number=5).update(status="WITHDRAWN", withdrawn_after_round=3)

        self.check(client, section)
        assert section.standings.get(after_round=3).rows[-1]["placed"] is False

    def test_with_another_scheme(self, client) -> None:
        section = f.make_section(scheme="XQ3", rounds_total=7)
        f.play_rounds(section, f.make_entries(section, 6), 3)

        self.check(client, section)


class TestARoundRobinPublishedWhole:
    """All its rounds are public from the start: the one being played is the first that is not over."""

    @pytest.fixture
    def robin(self) -> Section:
        section = f.make_section(format="ROUND_ROBIN", rounds_total=3, tiebreaks=["WINS"])
        entries = f.make_entries(section, 4)
        for number in (1, 2, 3):
            f.make_round(section, f.draw(entries, number))
        return section

    def show(self, client: Client, section: Section, *, results: dict[int, int]) -> tuple[str, str]:
        for number, count in results.items():
            boards = Pairing.objects.filter(round__section=section, round__number=number).order_by("board")
            for pairing in boards[:count]:
                pairing.outcome = Outcome.WHITE.value
                pairing.save()
        section.standings.all().delete()
        for number in (1, 2, 3):
            f.make_standings(section, after_round=number)
        addresses = public_addresses.of_section(section)
        return text_of(page(client, addresses["section"])), text_of(page(client, addresses["standings"]))

    @pytest.mark.parametrize(
        ("results", "current", "state", "table"),
        [
            ({}, 1, "results 0 of 2 in", "After round 1: 0 of 2 results in."),
            ({1: 1}, 1, "results 1 of 2 in", "After round 1: 1 of 2 results in."),
            ({1: 2}, 2, "results 0 of 2 in", "After round 1."),
            ({1: 2, 2: 1}, 2, "results 1 of 2 in", "After round 2: 1 of 2 results in."),
            ({1: 1, 2: 1}, 2, "results 1 of 2 in", "After round 2: 2 of 4 results in."),
            ({1: 2, 2: 2, 3: 2}, 3, "all results in", "After round 3."),
        ],
    )
    def test_tells_the_round_being_played(self, client, robin, results, current, state, table) -> None:
        boards, standings = self.show(client, robin, results=results)

        assert f"Round {current} of 3" in boards
        assert state in boards
        assert table in standings

    def test_whoever_rests_is_not_called_absent(self, client) -> None:
        section = f.make_section(format="ROUND_ROBIN", rounds_total=3, tiebreaks=["WINS"])
        one, two, three = f.make_entries(section, 3)
        f.make_round(section, [(one, two, Outcome.WHITE), (three, None, Outcome.ZERO_BYE)])

        for address in (
            public_addresses.of_section(section)["section"],
            public_addresses.of_section(section)["results"],
            public_addresses.of_round(section, 1)["round_names"],
            public_addresses.of_entry(three)["player"],
        ):
            words = text_of(page(client, address))
            assert "rests this round" in words
            assert "absent" not in words

    def test_the_next_board_is_in_the_round_being_played(self, client, robin) -> None:
        self.show(client, robin, results={1: 2})
        entry = robin.entries.select_related("section__event").get(number=1)

        words = text_of(page(client, public_addresses.of_entry(entry)["my"]))

        assert re.search(r"Board \d Round 2 · ", words)


class TestCrossTable:
    def test_swiss_cells(self, client) -> None:
        section = f.make_section()
        one, two, three = f.make_entries(section, 3)
        f.make_round(section, [(one, two, Outcome.WHITE), (three, None, Outcome.BYE)])
        f.make_round(section, [(three, one, Outcome.BLACK_FORFEITS), (two, None, Outcome.ZERO_BYE)])
        f.make_standings(section)

        body = page(client, public_addresses.of_section(section)["cross"])

        def cells(number: int) -> list[str]:
            row = re.search(rf'<tr id="n{number}".*?</tr>', body, flags=re.DOTALL)[0]
            return [text_of(cell) for cell in re.findall(r'<td class="c x">(.*?)</td>', row, re.DOTALL)]

        assert cells(1) == ["2w2", "3b-"]
        assert cells(2) == ["1b0", "abs."]
        assert cells(3) == ["bye", "1w+"]

    def test_round_robin_has_players_by_players(self, client) -> None:
        section = f.make_section(format="DOUBLE_ROUND_ROBIN", tiebreaks=["WINS"])
        one, two = f.make_entries(section, 2)
        f.make_round(section, [(one, two, Outcome.WHITE)])
        f.make_round(section, [(two, one, Outcome.DRAW)])
        f.make_standings(section)

        words = text_of(page(client, public_addresses.of_section(section)["cross"]))

        assert "1 ▪ 2w 1b 3" in words
        assert "2 0b 1w ▪ 1" in words


class TestPersonalPage:
    def test_is_kept_out_of_indexes_and_referrers(self, client, section, entry) -> None:
        for name in ("my", "my_calendar"):
            answer = client.get(public_addresses.of_entry(entry)[name])

            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert "noindex" in answer.headers["X-Robots-Tag"]
            assert answer.headers["Cache-Control"].startswith("private")

    def test_shows_the_next_board(self, client, section, entry) -> None:
        f.make_round(section, f.draw(list(section.entries.order_by("number")), 4))

        words = text_of(page(client, public_addresses.of_entry(entry)["my"]))

        assert re.search(r"Board \d+ Round 4 · (White|Black) against \d+ ", words)

    def test_its_link_stands_on_no_other_page(self, client, section, entry) -> None:
        addresses = public_addresses.everything(section, entry)
        for name, address in addresses.items():
            if not name.startswith("my"):
                assert entry.link not in client.get(address).content.decode(), name


class TestCalendar:
    def test_one_entry_for_each_round_with_a_start(self, client, section, entry) -> None:
        section.rounds.filter(number=2).update(starts_at=dt.datetime(2026, 11, 28, 6, 0, tzinfo=dt.UTC))

        body = client.get(public_addresses.of_entry(entry)["player_calendar"]).content.decode()

        assert body.count("BEGIN:VEVENT") == 1
        assert "DTSTART:20261128T060000Z" in body

    def test_lines_are_folded_between_characters_and_escaped(self) -> None:
        item = calendar.Appointment(
            uid="1@x",
            starts_at=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
            summary="棋" * 60,
            location="a,b;c\\d\ne",
        )

        text = calendar.calendar("x", [item])

        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        assert "SUMMARY:" + "棋" * 60 in text.replace("\r\n ", "")
        assert "LOCATION:a\\,b\\;c\\\\d\\ne" in text


class TestWhy:
    def test_compares_the_engine_with_what_is_played(self, client) -> None:
        section = f.make_section()
        one, two, three, four = f.make_entries(section, 4)
        f.make_round(
            section,
            [(one, two, Outcome.UNPLAYED), (three, four, Outcome.UNPLAYED)],
            proposal=[[1, 1, 2], [2, 4, 3]],
            numbers={"1": one.pk, "2": two.pk, "3": three.pk, "4": four.pk},
            edits=[{"verb": "swap", "names": ["甲", "乙"], "reason": "same club"}],
            digest="ab" * 32,
            canonical_input="the input",
        )
        addresses = public_addresses.of_round(section, 1)

        words = text_of(page(client, addresses["why"]))

        assert "The arbiter changed 1 board of the engine's proposal." in words.replace("&#x27;", "'")
        assert "甲 and 乙 changed places – same club" in words
        assert "ab" * 32 in words
        assert client.get(addresses["why_input"]).content == b"the input\n1 2\n4 3\n"

    def test_the_digest_is_that_of_the_file(self, client) -> None:
        organizer = builders.organizer()
        section = builders.section(organizer, players=5)
        Event.objects.update(state=Event.State.OPEN)
        round_ = builders.publish_next(organizer, section)

        answer = client.get(public_addresses.of_round(section, 1)["why_input"])

        assert len(round_.digest) == 64
        assert hashlib.sha256(answer.content).hexdigest() == round_.digest


class TestLanguage:
    def test_the_switch_alone_sets_a_cookie(self, client, section) -> None:
        address = public_addresses.of_section(section)["section"]

        answer = client.post(reverse("set_language"), {"language": "en", "next": address})

        assert answer.status_code == 302
        assert set(answer.cookies) == {"django_language"}
        assert 'lang="en"' in client.get(address).content.decode()[:200]

    def test_the_address_may_name_it(self, client, section) -> None:
        address = public_addresses.of_section(section)["section"]

        answer = client.get(f"{address}?lang=en", headers={"accept-language": "zh-hans"})

        assert 'lang="en"' in answer.content.decode()[:200]
        assert f'name="next" value="{address}"' in answer.content.decode()
        assert not answer.cookies
