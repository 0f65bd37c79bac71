"""Photographs of scoresheets: taken in, read by a job, and set beside the sheet's form. Nothing is filed here."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.models import Scoresheet, SheetPhoto
from games.reading.code import Code
from games.reading.faults import Fault
from games.reading.joining import Reading, join
from games.reading.page import Page, WrittenCell
from games.reading.untrusted import read_photo, split_file
from games.selectors.photos import of_copy
from games.slots import Seat, acting_side, is_arbiter, name_of, seat_of, seats_of, with_games
from tournaments import audit, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.confined import TooCostly, run_confined
from tournaments.errors import BadInput, NotFound
from tournaments.gate import lock_section
from tournaments.models import Job, Round
from tournaments.permissions import Action, require

LARGEST = 12 * 1024 * 1024  # one picture
LARGEST_STACK = 64 * 1024 * 1024
MOST_WAITING = 6  # pictures of one copy that wait or stand read
WRONG_SHEET, UNKNOWN, DOUBLED = "wrong-sheet", "unknown", "doubled"


def signed(code: Code) -> Code:
    """The code with the eight characters that prove that this site printed it."""
    digest = salted_hmac("games.paper_form", code.signed_part, algorithm="sha256").digest()
    return replace(code, signature=base64.b32encode(digest)[:8].decode())


def code_of(seat: Seat, side: str, page: int = 1) -> Code:
    section = seat.section
    return signed(
        Code(
            event=section.event.code, section=section.code, round=seat.round.number, board=seat.pairing.board,
            game=seat.number, side=side, page=page,
        )
    )  # fmt: skip


def add_photo(
    actor: Actor,
    pairing_id: int,
    *,
    filename: str,
    content: bytes,
    side: str = "",
    link: str = "",
    number: int = 1,
) -> SheetPhoto:
    """Take in a picture of one copy: a player of his own, an arbiter of either. A job reads it."""
    seat = seat_of(pairing_id, number)
    own = acting_side(actor, seat, side=side, link=link)
    if len(content) > LARGEST:
        raise BadInput(_("The picture is larger than %(size)s MB."), size=LARGEST // 1024 // 1024)
    uploader = actor.name if not link and is_arbiter(actor, seat) else name_of(seat, own)
    pictures = _split(content)
    if len(pictures) != 1 or isinstance(pictures[0], Fault):
        raise BadInput(
            _("Send one picture of one page here (JPEG, PNG or WebP, or a PDF of one scanned page).")
        )
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        waiting = SheetPhoto.objects.filter(
            asked=seat.pairing, asked_number=number, asked_side=own, sheet=None
        )
        if waiting.count() >= MOST_WAITING:
            raise BadInput(_("There are %(count)s pictures of this copy already."), count=MOST_WAITING)
        photo = SheetPhoto.objects.create(
            round=seat.round, asked=seat.pairing, asked_number=number, asked_side=own, filename=filename[:200],
            content=pictures[0], given=hashlib.sha256(content).hexdigest(), uploaded_by=None if link else actor.user,
            uploader=uploader,
        )  # fmt: skip
        _log(actor if actor.user else Actor(address=actor.address, label=uploader), seat.round, [photo])
        jobs.enqueue(section, Job.Kind.READ_SHEETS)
    return photo


def add_stack(actor: Actor, round_id: int, files: list[tuple[str, bytes]]) -> list[SheetPhoto]:
    """Take in pictures and PDF files of many sheets of a round (names and contents); each page says itself whose it is."""
    round_ = Round.objects.select_related("section__event").filter(pk=round_id).first()
    if round_ is None:
        raise NotFound
    require(actor, Action.ENTER_RESULTS, round_.section.event)
    if sum(len(content) for _name, content in files) > LARGEST_STACK:
        raise BadInput(
            _("The files are larger than %(size)s MB together."), size=LARGEST_STACK // 1024 // 1024
        )
    pages = [
        (name, number, hashlib.sha256(content).hexdigest(), picture)
        for name, content in files
        for number, picture in enumerate(_split(content), 1)
    ]
    if not pages:
        raise BadInput(_("No picture was sent."))
    with transaction.atomic():
        section = lock_section(round_.section_id)
        photos = [
            SheetPhoto.objects.create(
                round=round_, filename=name[:200], file_page=number, given=given, uploaded_by=actor.user, uploader=actor.name,
                content=b"" if isinstance(picture, Fault) else picture,
                state=SheetPhoto.State.REFUSED if isinstance(picture, Fault) else SheetPhoto.State.WAITING,
                fault=picture.value if isinstance(picture, Fault) else "",
            )
            for name, number, given, picture in pages
        ]  # fmt: skip
        _log(actor, round_, photos)
        jobs.enqueue(section, Job.Kind.READ_SHEETS)
    return photos


def note_filed(sheet: Scoresheet, photo_id: str, seat: Seat, side: str) -> None:
    """The pictures of this copy that the sheet was filed from: the one named, and its other pages."""
    named = of_copy(seat, side).filter(sheet=None)
    photo = named.filter(pk=photo_id).first() if photo_id.isdecimal() and len(photo_id) < 16 else None
    if photo is None:
        return
    with transaction.atomic():
        lock_section(seat.round.section_id)
        if photo.pairing_id is not None:
            _same_copy(photo).exclude(page=photo.page).update(sheet=sheet)
        named.filter(pk=photo.pk).update(sheet=sheet)


def run_reading_job(job: Job) -> None:
    """Read what waits in a section, one picture after the other; what came meanwhile too."""
    done = 0
    while True:
        photo = _waiting(job.section_id).first()
        if photo is None:
            with transaction.atomic():
                held = jobs.hold(job)
                if not _waiting(job.section_id).exists():
                    jobs.finish(held)
                    return
            continue
        jobs.report_progress(job, done=done, total=done + _waiting(job.section_id).count())
        _read(job, photo)
        done += 1


def _waiting(section_id: int) -> QuerySet[SheetPhoto]:
    return (
        SheetPhoto.objects.filter(round__section_id=section_id, state=SheetPhoto.State.WAITING)
        .select_related("round__section__event", "asked")
        .order_by("pk")
    )


def _read(job: Job, photo: SheetPhoto) -> None:
    try:
        anew, page, fault = run_confined(read_photo, bytes(photo.content))
    except TooCostly:
        anew, page, fault = b"", None, Fault.TOO_LARGE
    photo.content, photo.digest = anew, hashlib.sha256(anew).hexdigest()
    photo.fault = fault.value if fault else ""
    if page is not None:
        photo.cells = [_kept(cell) for cell in page.cells]
        _place(photo, page)
    if not photo.fault:
        photo.fault = _doubled(photo)
    photo.state = SheetPhoto.State.REFUSED if photo.fault else SheetPhoto.State.READ
    if not photo.fault:
        photo.reading = _joined(photo)
    with transaction.atomic():
        jobs.hold(job)
        photo.save()


def _place(photo: SheetPhoto, page: Page) -> None:
    """Say whose page it is, by its code; a page that was sent for one copy must be of that copy."""
    if page.code is None:
        return
    if signed(page.code).signature != page.code.signature:
        photo.fault = UNKNOWN
        return
    seat = _seat(photo.round, page.code)
    if seat is None:
        photo.fault = WRONG_SHEET
        return
    place = (seat.pairing.pk, seat.number, page.code.side)
    if photo.asked is not None and place != (photo.asked.pk, photo.asked_number, photo.asked_side):
        photo.fault = WRONG_SHEET
        return
    photo.pairing, photo.number, photo.side, photo.page = (
        seat.pairing,
        seat.number,
        page.code.side,
        page.code.page,
    )
    if not page.cells:
        photo.fault = Fault.EMPTY.value


def _seat(round_: Round, code: Code) -> Seat | None:
    """The game of this round that a code names; None for one of another round, section or event."""
    section = round_.section
    if (code.event, code.section, code.round) != (section.event.code, section.code, round_.number):
        return None
    rows = with_games(round_.pairings.filter(board=code.board, black__isnull=False), section)
    pairing = rows.first()
    if pairing is None:
        return None
    pairing.round = round_
    return next((seat for seat in seats_of(pairing) if seat.number == code.game), None)


def _doubled(photo: SheetPhoto) -> str:
    """A page of a stack that was there before. Who sends a better picture of one copy means it."""
    if photo.asked is not None:
        return ""
    return DOUBLED if _same_copy(photo).filter(page=photo.page).exists() else ""


def _same_copy(photo: SheetPhoto) -> QuerySet[SheetPhoto]:
    return SheetPhoto.objects.filter(
        pairing=photo.pairing, number=photo.number, side=photo.side, state=SheetPhoto.State.READ, sheet=None
    ).exclude(pk=photo.pk)


def _joined(photo: SheetPhoto) -> dict[str, Any]:
    """The game of the copy: the latest picture of each of its pages."""
    pages = {other.page: other.cells for other in _same_copy(photo).order_by("pk")} | {
        photo.page: photo.cells
    }
    cells = [_unkept(cell) for number in sorted(pages) for cell in pages[number]]
    return as_json(join([cells]), cells)


def as_json(reading: Reading, cells: list[WrittenCell]) -> dict[str, Any]:
    """A reading for storage, with the pictures of the doubtful cells."""
    plies = [
        asdict(ply)
        | {
            "picture": base64.b64encode(cells[ply.cell].picture).decode()
            if ply.doubtful and ply.cell is not None
            else ""
        }
        for ply in reading.plies
    ]
    return {"plies": plies, "certain": reading.certain_up_to_order, "left_over": list(reading.left_over)}


def _kept(cell: WrittenCell) -> dict[str, Any]:
    boxes = [[round(value, 4) for value in box] for box in cell.boxes]
    return {"ply": cell.ply, "boxes": boxes, "picture": base64.b64encode(cell.picture).decode()}


def _unkept(kept: dict[str, Any]) -> WrittenCell:
    boxes = tuple(tuple(float(value) for value in box) for box in kept["boxes"])
    return WrittenCell(ply=kept["ply"], boxes=boxes, picture=base64.b64decode(kept["picture"]))


def _split(content: bytes) -> list[bytes | Fault]:
    try:
        return run_confined(split_file, content)
    except TooCostly as error:
        raise BadInput(error.message) from None


def _log(actor: Actor, round_: Round, photos: list[SheetPhoto]) -> None:
    audit.record(
        actor=actor, action=AuditAction.ADD_SHEET_PHOTO, section=round_.section, subject=round_,
        after={"round": round_.number, "files": sorted({photo.filename for photo in photos}), "pages": len(photos)},
    )  # fmt: skip
