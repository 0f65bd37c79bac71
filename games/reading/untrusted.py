"""What is done with files of strangers, as single calls for a process of its own."""

from __future__ import annotations

import io

import cv2
import pikepdf

from games.reading import pictures
from games.reading.faults import Fault, Unreadable
from games.reading.page import Page, read_page

QUALITY = 88


def split_file(content: bytes) -> list[bytes | Fault]:
    """The pictures of a file; a scan whose pages are JPEG is taken apart without unpacking them."""
    if not pictures.is_pdf(content):
        return [content]
    quick = _jpegs_of(content)
    return quick if quick is not None else list(pictures.pages_of(content))


def _jpegs_of(content: bytes) -> list[bytes | Fault] | None:
    """The pages of a PDF that holds nothing but one upright JPEG a page, else None."""
    found: list[bytes | Fault] = []
    try:
        with pikepdf.open(io.BytesIO(content)) as file:
            if len(file.pages) > pictures.MOST_PAGES:
                return [Fault.TOO_LARGE]
            for page in file.pages:
                images = list(page.get_images().values())
                if len(images) != 1 or images[0].get("/Filter") != "/DCTDecode":
                    return None
                found.append(bytes(images[0].read_raw_bytes()))
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, RuntimeError, AttributeError, TypeError):
        return None
    return found


def read_photo(content: bytes) -> tuple[bytes, Page | None, Fault | None]:
    """The picture written anew (JPEG, grey, upright, nothing beside it; empty where it is none), with what is on it."""
    try:
        grey = pictures.grey(content)
    except Unreadable as error:
        return b"", None, error.fault
    anew = bytes(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])
    try:
        page = read_page(anew)
    except Unreadable as error:
        return anew, None, error.fault
    return anew, page, None if page.code else Fault.NO_CODE
