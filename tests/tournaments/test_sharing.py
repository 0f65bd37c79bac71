"""What others show of the site: canonical addresses, descriptions, the sitemap, robots, the manifest, typed addresses."""

from __future__ import annotations

import io
import json

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests import factories as f
from tests.tournaments import builders as b
from tests.tournaments import public_addresses
from tests.tournaments.test_public_pages import page
from tournaments.models import Event
from tournaments.services import events

pytestmark = pytest.mark.django_db


def test_a_page_names_its_address_with_the_language_and_the_other_language(client: Client) -> None:
    section = f.make_section(f.make_event(code="demo", name_en="Stone Bridge Open", place="Yunze"))
    address = public_addresses.of_section(section)["standings"]

    body = page(client, f"{address}?after=", "en")

    assert f'<link rel="canonical" href="http://testserver{address}?lang=en">' in body
    assert f'hreflang="zh-Hans" href="http://testserver{address}?lang=zh-hans"' in body
    assert 'property="og:title" content="Open · Stone Bridge Open"' in body
    assert "Yunze" in body.split('name="description" content="')[1].split('"')[0]


def test_neither_a_draft_nor_a_personal_page_is_shared(client: Client) -> None:
    section = f.make_section(f.make_event(code="demo"))
    entry = f.make_entry(section, number=1)
    hidden = f.make_event(code="secret", state=Event.State.DRAFT)

    assert "canonical" not in page(client, public_addresses.of_entry(entry)["my"])
    sitemap = client.get(reverse("public:sitemap")).content.decode()
    assert sitemap.count("/e/demo/?lang=") == 2
    assert hidden.code not in sitemap
    assert entry.link not in sitemap


def test_robots_name_what_is_closed_and_the_sitemap(client: Client) -> None:
    text = client.get("/robots.txt").content.decode()

    assert "Disallow: /desk/" in text
    assert "Disallow: /my/" in text
    assert "Sitemap: http://testserver/sitemap.xml" in text


def test_the_manifest_is_in_the_readers_language(client: Client) -> None:
    answer = client.get(reverse("public:manifest"), headers={"accept-language": "zh-hans"})

    assert json.loads(answer.content)["name"] == "百格弈事"
    assert not answer.cookies


def test_an_address_typed_in_capitals_leads_to_the_event(client: Client) -> None:
    f.make_event(code="demo")

    answer = client.get("/e/DEMO/")

    assert (answer.status_code, answer.headers["Location"]) == (301, "/e/demo/")


def test_the_picture_beside_a_shared_link_is_drawn_by_the_server(client: Client) -> None:
    section = f.make_section(f.make_event(code="demo", name="#[x] 岳阳杯", place="岳阳"))
    address = reverse("public:preview", args=["demo"])

    body = page(client, public_addresses.of_section(section)["standings"], "en")
    answer = client.get(address)

    assert f'property="og:image" content="http://testserver{address}"' in body
    assert answer["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (1200, 630)
    assert client.get(address, headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_a_draft_has_no_picture(client: Client) -> None:
    f.make_event(code="secret", state=Event.State.DRAFT)

    assert client.get(reverse("public:preview", args=["secret"])).status_code == 404


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("岳阳公开赛", "yueyanggongkaisai"),
        ("Čížek Cup 2026", "cizekcup2026"),
        ("2026年岳阳杯国际跳棋公开赛", "2026nianyueyangbei"),
    ],
)
def test_the_address_code_comes_from_the_name_and_is_never_taken_twice(name: str, code: str) -> None:
    organizer = b.organizer()

    made = [events.create_event(organizer, {"name": name}).code for _turn in range(3)]

    assert made == [code, f"{code}-2", f"{code}-3"]


def test_a_name_without_letters_gets_a_code_by_chance() -> None:
    assert len(events.create_event(b.organizer(), {"name": "♟♟♟"}).code) == 6
