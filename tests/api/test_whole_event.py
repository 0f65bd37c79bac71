"""One event through the programming interface alone, from making it to closing it."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.api.conftest import BASE, Caller
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Job, Section

pytestmark = pytest.mark.django_db

LIST = "姓名,单位,等级分\n" + "\n".join(f"选手{n},俱乐部{n % 3},{2000 - n}" for n in range(1, 8))


def test_an_event_is_run_through_the_interface(organizer: Actor) -> None:
    me, anybody = Caller(organizer), Caller()

    event = me.done("post", "events/", {"name": "岳阳公开赛", "place": "岳阳", "starts_on": "2026-11-28"})
    event_path = f"events/{event['code']}/"
    assert anybody.call("get", event_path).status_code == 404
    me.done("put", f"{event_path}visibility/", {"public": True})
    assert anybody.get(event_path)["name"] == "岳阳公开赛"

    section = me.done("post", f"{event_path}sections/", {"name": "公开组", "rounds_total": 3})
    path = f"{event_path}sections/{section['code']}/"
    enter_list(me, path)
    late = me.done("post", f"{path}entries/", {"name": "欧阳明月", "rating": 1900})
    me.done("post", f"{path}absences/", {"entry": late["id"], "round": 1, "kind": "HALF_BYE"})
    me.done("put", f"{path}rounds/1/start/", {"starts_at": "2026-11-28T09:00:00+08:00"})

    for number in (1, 2, 3):
        pair_and_publish(me, path, number)
        enter_results(me, path, number)
    assert me.refused("post", f"{event_path}closing/") == (409, "sections-open")
    assert me.done("post", f"{path}closing/")["is_closed"] is True
    assert me.done("post", f"{event_path}closing/")["state"] == "CLOSED"

    table = anybody.get(f"{path}standings/")
    assert (table["final"], table["after_round"], table["count"]) == (True, 3, 8)
    # Round 1 had a half-point bye and a bye.
    assert sum(row["points"] for row in table["results"]) == 9 + 8 + 8
    assert anybody.get(event_path)["state"] == "CLOSED"
    log = me.get(f"{event_path}log/", action="publish-round")
    assert [line["after"]["round"] for line in log["results"]] == [3, 2, 1]


def enter_list(me: Caller, path: str) -> None:
    file = SimpleUploadedFile("list.csv", LIST.encode("gb18030"))
    reply = me.client.post(f"{BASE}{path}imports/", {"file": file}, format="multipart")
    assert reply.status_code == 201, reply.content
    preview = reply.json()
    assert (preview["is_ready"], preview["encoding"], len(preview["rows"])) == (True, "gb18030", 7)
    assert me.get(f"{path}entries/")["count"] == 0
    entered = me.done("post", f"{path}imports/{preview['id']}/confirmation/")
    assert len(entered["entries"]) == 7


def pair_and_publish(me: Caller, path: str, number: int) -> None:
    reply = me.call("post", f"{path}pairing/")
    assert reply.status_code == 202
    job = reply.json()
    assert reply["Location"] == job["url"] and job["state"] == "QUEUED"
    b.run(Job.objects.get(pk=job["id"]))
    done = me.get(reply["Location"].removeprefix(BASE))
    assert (done["state"], done["round"], done["done"]) == ("DONE", number, done["total"])
    assert me.get(f"{path}rounds/{number}/draft/")["differences"] == []
    assert me.done("post", f"{path}rounds/{number}/publication/") == {
        "published": [number],
        "open_appeals": [],
    }


def enter_results(me: Caller, path: str, number: int) -> None:
    boards = me.get(f"{path}rounds/{number}/boards/")["results"]
    open_boards = [board for board in boards if board["outcome"] == "UNPLAYED"]
    first, *rest = open_boards
    saved = me.done(
        "put", f"{path}pairings/{first['id']}/result/", {"outcome": "WHITE", "version": first["version"]}
    )
    assert (saved["outcome"], saved["version"]) == ("WHITE", first["version"] + 1)
    lines = [{"pairing": x["id"], "outcome": "DRAW", "version": x["version"]} for x in rest]
    me.done("post", f"{path}results/", {"lines": lines})
    section_code = path.rstrip("/").split("/")[-1]
    b.work_all(Section.objects.get(event__code=path.split("/")[1], code=section_code))
