"""The codes of the log in words. A code without words stands for itself."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Section

ACTIONS: dict[str, Any] = {
    "set-up-site": _("first set-up"),
    "create-account": _("account made"),
    "create-token": _("API key made"),
    "revoke-token": _("API key revoked"),
    "create-event": _("event made"),
    "edit-event": _("event changed"),
    "show-event": _("event shown"),
    "hide-event": _("event hidden"),
    "close-event": _("event closed"),
    "create-section": _("section made"),
    "edit-section": _("section changed"),
    "delete-section": _("section deleted"),
    "close-section": _("section closed"),
    "reopen-section": _("section reopened"),
    "assign-role": _("role given"),
    "remove-role": _("role taken away"),
    "add-entry": _("player entered"),
    "edit-entry": _("player changed"),
    "remove-entry": _("player removed"),
    "import-entries": _("list entered from a file"),
    "withdraw-entry": _("player withdrawn"),
    "return-entry": _("player returned"),
    "renew-link": _("personal link renewed"),
    "disqualify-entry": _("player disqualified"),
    "announce-absence": _("absence announced"),
    "cancel-absence": _("absence taken back"),
    "request-pairing": _("pairing asked for"),
    "draft-by-hand": _("round paired by hand"),
    "discard-draft": _("draft thrown away"),
    "publish-round": _("round published"),
    "unpublish-round": _("round taken back"),
    "set-round-start": _("start of a round set"),
    "draft-swap": _("draft: places exchanged"),
    "draft-set": _("draft: board set"),
    "draft-bye": _("draft: bye given"),
    "forbid-pair": _("pair forbidden"),
    "allow-pair": _("pair allowed again"),
    "record-outcome": _("result entered"),
    "adjust-score": _("points adjusted"),
}

OBJECTS: dict[str, Any] = {
    "event": _("event"),
    "section": _("section"),
    "role": _("role"),
    "user": _("account"),
    "entry": _("player"),
    "round": _("round"),
    "pairing": _("board"),
    "forbiddenpair": _("forbidden pair"),
    "adjustment": _("ruling on points"),
}

# What the log says beside the fields of the tables.
FIELDS: dict[str, Any] = {
    "round": _("round"),
    "board": _("board"),
    "outcome": _("result"),
    "grade": _("grade"),
    "entries": _("players"),
    "names": _("players"),
    "user": _("account"),
    "username": _("user name"),
    "kind": _("kind"),
    "verb": _("change"),
    "edits": _("changes by hand"),
    "digest": _("check sum"),
    "warnings": _("warnings"),
    "after_round": _("after round"),
    "points": _("points"),
    "entry": _("player"),
    "reason": _("reason"),
    "by": _("by"),
    "at": _("at"),
    "file": _("file"),
    "entered": _("entered"),
    "skipped_lines": _("lines skipped"),
    "status": _("state"),
    "withdrawn_after_round": _("withdrawn after round"),
}

CODES: dict[str, Any] = {
    **dict(Entry.Status.choices),
    **dict(Event.State.choices),
    **dict(Section.Format.choices),
    **dict(Section.Ranking.choices),
}
