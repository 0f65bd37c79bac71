"""Lists as clubs and other programs write them, through the page and the API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.errors import BadInput
from tournaments.importers.columns import Field
from tournaments.importers.entry_list import Preview, preview_entries
from tournaments.models import Event, Player, Section
from tournaments.services import entries, entry_import, events, history, matches, trf_import

WITH_OFFICIALS = "姓名,性别,单位,等级分\n陈一,男,重庆,2100\n李二,女,北京,2050\n领队：张三,,,\n教练：李四,,,\n"
OF_DRAUGHTS_ARBITER = (
    "Place;S.No.;Title;Name;Fed.;FMJD;R1;R2;Total;SSolk\n"
    "1;2;GMI;Adams, One;CMR;A 2339;4b2;3w1;3;5\n"
    "2;3;MF;Brown, Two;CIV;A 2294;1w0;4b2;2;4\n"
    "3;1;;Clark, Three;BUR;A 2100;2w1;1b1;2;6\n"
    "4;4;;Davis, Four;BUR;2100;1w0;2w0;0;5\n"
)
TURNED = "Sm\u202eith"


def read(text: str, **options: object) -> Preview:
    return preview_entries(text.encode(), **options)  # type: ignore[arg-type]


def codes(preview: Preview) -> list[tuple[int, str]]:
    return [(remark.line, remark.code) for remark in preview.problems]


class TestFootOfAList:
    def test_officials_are_no_players_until_the_lines_are_left_out(self) -> None:
        preview = read(WITH_OFFICIALS)

        assert codes(preview) == [(4, "no-player"), (5, "no-player")]
        assert [row.name for row in preview.rows] == ["陈一", "李二"]

        mended = read(WITH_OFFICIALS, left_out=[4, 5])

        assert mended.is_ready
        assert [row.name for row in mended.rows] == ["陈一", "李二"]
        assert [row.cells[0] for row in mended.left_out] == ["领队：张三", "教练：李四"]

    @pytest.mark.parametrize(
        "foot",
        [
            "领队 张三",
            "教练员:李四",
            "合计 24人",
            "Coach: A. Smith",
            "Team leader: B",
            "备注：",
            "制表人：王五",
            "领队（兼）：王",
        ],
    )
    def test_words_of_officials(self, foot: str) -> None:
        assert codes(read(f"姓名,单位\n陈一,重庆\n{foot},\n")) == [(3, "no-player")]

    @pytest.mark.parametrize("name", ["领军", "Coach Smith", "Total Eclipse", "Trainer, Anna", "注意"])
    def test_names_that_only_look_like_them(self, name: str) -> None:
        assert codes(read(f'姓名,单位\n"{name}",重庆\n')) == []

    @pytest.mark.django_db
    def test_the_page_leaves_ticked_lines_out_and_takes_the_tick_off_again(self) -> None:
        organizer = builders.organizer()
        section = builders.section(organizer)
        client = client_of(organizer.user)
        upload = SimpleUploadedFile("名单.csv", WITH_OFFICIALS.encode("gb18030"))
        at = client.post(reverse("desk:import", args=[section.pk]), {"file": upload, "repeats": "refuse"})[
            "Location"
        ]
        page = client.get(at).content.decode()
        assert 'name="leave-out" value="4" form="reading" checked' in page

        reading = {"read": "1", "repeats": "refuse", "encoding": "gb18030"}
        client.post(at, {**reading, "line": ["4", "5"], "leave-out": ["4", "5"]})
        page = client.get(at).content.decode()
        assert "Enter 2 players" in page
        assert "领队：张三" in page

        client.post(at, {**reading, "line": ["4", "5"], "leave-out": ["5"]})
        assert "Enter 2 players" not in client.get(at).content.decode()

        client.post(at, {**reading, "line": ["4", "5"], "leave-out": ["4", "5"]})
        client.post(at, {"enter": "1"})
        assert [str(entry) for entry in section.entries.order_by("pk")] == ["陈一", "李二"]

    @pytest.mark.django_db
    @pytest.mark.parametrize("lines", [["x"], ["1.5"], "4", [None], {"a": 1}])
    def test_what_is_no_line_is_refused_by_the_api(self, lines: object) -> None:
        organizer = builders.organizer()
        section = builders.section(organizer)
        held = entry_import.hold_entries(
            organizer, section.pk, filename="l.csv", content=WITH_OFFICIALS.encode()
        )
        at = f"/api/v1/events/{section.event.code}/sections/{section.code}/imports/{held.pk}/"
        client = client_of(organizer.user)

        answer = client.put(at, json.dumps({"left_out": lines}), "application/json")
        assert answer.status_code == 400

        answer = client.put(at, json.dumps({"left_out": [4, 5]}), "application/json")
        assert (answer.json()["is_ready"], answer.json()["left_out"]) == (True, [4, 5])


class TestColumnFmjd:
    def test_ratings_of_draughts_arbiter(self) -> None:
        preview = read(OF_DRAUGHTS_ARBITER)

        assert preview.problems == ()
        assert [row.rating for row in preview.rows] == [2339, 2294, 2100, 2100]
        assert [row.fmjd_id for row in preview.rows] == ["", "", "", ""]
        assert [row.federation for row in preview.rows] == ["CMR", "CIV", "BUR", "BUR"]

    def test_beside_a_column_of_numbers_it_is_the_rating(self) -> None:
        preview = read("Name,FMJD-id,FMJD\nAdams,10152,A 2339\nBrown,11000,2294\n")

        assert [(row.fmjd_id, row.rating) for row in preview.rows] == [("10152", 2339), ("11000", 2294)]

    def test_beside_a_column_of_ratings_its_digits_are_numbers(self) -> None:
        preview = read("Name,Rating,FMJD\nAdams,2339,10152\nBrown,2294,2294\n")

        assert [(row.fmjd_id, row.rating) for row in preview.rows] == [("10152", 2339), ("2294", 2294)]

    def test_digits_that_no_rating_reaches_are_numbers(self) -> None:
        assert [row.fmjd_id for row in read("Name,FMJD\nAdams,10152\nBrown,11000\n").rows] == [
            "10152",
            "11000",
        ]

    def test_cn_and_class(self) -> None:
        preview = read("Name;Cn;Class\nAdams;CMR;A\n")

        assert [column.field for column in preview.columns] == [Field.NAME, Field.FEDERATION, Field.GRADE]

    def test_a_column_chosen_by_hand_reads_a_rating_with_its_letter(self) -> None:
        preview = read("Name;X\nAdams;A 2339\nBrown;b2294\n", chosen={1: Field.RATING})

        assert [row.rating for row in preview.rows] == [2339, 2294]

    def test_an_fmjd_number_is_digits_only(self) -> None:
        assert codes(read("Name;FMJD id\nAdams;A 2339\n")) == [(2, "fmjd")]


class TestWideCommas:
    @pytest.mark.parametrize(
        "text",
        [
            "姓名，单位，等级分\n陈一，重庆，2100\n",
            "姓名，单位,等级分\n陈一,重庆，2100\n",
            "报名表\n姓名，单位，等级分\n陈一，重庆，2100\n",
        ],
    )
    def test_they_separate(self, text: str) -> None:
        [row] = read(text).rows

        assert (row.name, row.club, row.rating) == ("陈一", "重庆", 2100)

    def test_inside_quotation_marks_and_remarks_they_stay(self) -> None:
        assert read('姓名，单位\n陈一，"甲，乙"\n').rows[0].club == "甲,乙"
        assert read("姓名,单位\n陈一,甲，乙\n").rows[0].club == "甲,乙"
        assert read("姓名\n王，小明\n李，华\n").rows[0].name == "王,小明"


@pytest.mark.django_db
class TestHiddenCharacters:
    """A name with a mark of direction shows as another name: no door lets one in."""

    @pytest.fixture
    def section(self) -> Section:
        return builders.section(builders.organizer(), players=2)

    def refuses(self, write: object, *arguments: object, **named: object) -> None:
        before = list(Player.objects.values_list("name", flat=True)), Event.objects.count()
        with pytest.raises(BadInput):
            write(*arguments, **named)  # type: ignore[operator]
        assert (list(Player.objects.values_list("name", flat=True)), Event.objects.count()) == before

    @pytest.mark.parametrize("field", ["name", "family_name", "latin_name", "club"])
    @pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\u200b", "\ufeff", "\u2028"])
    def test_entries(self, field: str, mark: str) -> None:
        organizer = builders.organizer()
        section = builders.section(organizer, players=1)
        fields = {"name": "Adams", field: f"Sm{mark}ith"}

        if (field, mark) != ("name", "\u2028"):  # a line break in a name becomes a space
            self.refuses(entries.add_entry, organizer, section.pk, fields)
            self.refuses(entries.update_entry, organizer, section.entries.get().pk, fields)

    def test_page_and_api(self) -> None:
        organizer = builders.organizer()
        section = builders.section(organizer)
        client = client_of(organizer.user)

        page = client.post(reverse("desk:entry_new", args=[section.pk]), {"name": TURNED})
        answer = client.post(
            f"/api/v1/events/{section.event.code}/sections/{section.code}/entries/",
            json.dumps({"name": TURNED}), "application/json",
        )  # fmt: skip

        assert "U+202E" in page.content.decode()
        assert (answer.status_code, "name" in json.dumps(answer.json())) == (400, True)
        assert not section.entries.exists()

    def test_lists(self) -> None:
        assert codes(read(f"姓名,单位\n{TURNED},重庆\n张伟,重{chr(0x202E)}庆\n")) == [
            (2, "hidden-character"),
            (3, "hidden-character"),
        ]

    def test_events_sections_accounts_and_teams(self) -> None:
        organizer = builders.organizer()
        assert organizer.user is not None
        team = builders.section(organizer, players=2, format=Section.Format.TEAM_SWISS)
        organizer.user.is_staff = True

        self.refuses(events.create_event, organizer, {"name": TURNED})
        self.refuses(events.create_section, organizer, team.event_id, {"name": TURNED})
        self.refuses(matches.set_members, organizer, builders.entry_list(team)[0].pk, [(TURNED, 0)])

    def test_reports_of_other_programs(self) -> None:
        organizer = builders.organizer()
        event = builders.section(organizer).event
        report = Path("tests/golden/trf/nine_trf16.trf").read_text("utf-8")
        name = next(line for line in report.splitlines() if line.startswith("001 "))[14:22]
        self.refuses(
            trf_import.import_trf, organizer, event.pk, filename="r.trf",
            content=report.replace(name, f"{name[:3]}\u202e{name[4:]}", 1).encode(),
        )  # fmt: skip

    def test_past_events(self) -> None:
        with pytest.raises(BadInput):
            history.refuse_hidden(TURNED)
