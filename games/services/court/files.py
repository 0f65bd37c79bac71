"""What a file of evidence is, told by its bytes and not by its name: JPEG, PNG, WebP or PDF, whole and within size.

What is kept is written anew from what can be seen in it, so that nothing of the file as it came is ever handed on.
"""

from __future__ import annotations

import re
import struct
import zlib

from django.utils.translation import gettext as _

from games.services.court import file_rewriting
from tournaments.confined import TooCostly, run_confined
from tournaments.errors import BadInput

LARGEST = 8 * 1024 * 1024
ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "application/pdf": ".pdf"}


class BadFile(BadInput):
    code = "bad-file"


def checked_type(content: bytes) -> str:
    """The media type. Raises BadFile for what is empty, too large, of another kind, cut short or able to act."""
    if not content:
        raise _bad(_("The file is empty."))
    if len(content) > LARGEST:
        raise _bad(_("The file is larger than %(size)s MB.") % {"size": LARGEST // 1024 // 1024})
    try:
        return _told_by_bytes(content)
    except (struct.error, IndexError):
        raise _broken() from None


def _told_by_bytes(content: bytes) -> str:
    if content.startswith(b"\xff\xd8\xff"):
        return _jpeg(content)
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(content)
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return _webp(content)
    if content.startswith(b"%PDF-"):
        return _pdf(content)
    raise _bad(_("Only images (JPEG, PNG, WebP) and PDF files are taken."))


def made_harmless(content: bytes) -> tuple[bytes, str]:
    """The file written anew, with its media type: the picture without what the camera wrote beside it, the pages of a PDF
    without whatever could act. Raises BadFile for what cannot be read."""
    media_type = checked_type(content)
    try:
        if media_type == "application/pdf":
            return run_confined(file_rewriting.rewrite_pdf, content), media_type
        return run_confined(file_rewriting.rewrite_image, content)
    except file_rewriting.UnreadableFile:
        raise _broken() from None
    except file_rewriting.TooManyPixels:
        raise _too_many_pixels() from None
    except TooCostly as error:
        raise _bad(error.message) from None


def clean_name(filename: str, media_type: str) -> str:
    """A name that is safe everywhere, with the ending of what the file is."""
    stem = re.split(r"[\\/]", filename)[-1].rsplit(".", 1)[0]
    kept = "".join(c for c in stem if c.isalnum() or c in " -_()").strip()[:80]
    return f"{kept or 'file'}{ENDINGS[media_type]}"


def _png(content: bytes) -> str:
    """Every chunk with its check sum, from the header to the end."""
    at, seen = 8, []
    while at + 12 <= len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        check = content[at + 8 + length : at + 12 + length]
        if len(body) != length or len(check) != 4 or struct.unpack(">I", check)[0] != zlib.crc32(kind + body):
            raise _broken()
        if kind == b"IHDR":
            _check_pixels(*struct.unpack(">II", body[:8]))
        seen.append(kind)
        at += 12 + length
        if kind == b"IEND":
            break
    if not seen or seen[0] != b"IHDR" or seen[-1] != b"IEND" or b"IDAT" not in seen or at != len(content):
        raise _broken()
    return "image/png"


def _jpeg(content: bytes) -> str:
    """The segments up to the picture, its size among them, and the mark at the end."""
    at, sized = 2, False
    while at + 4 <= len(content) and content[at] == 0xFF:
        mark = content[at + 1]
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            _check_pixels(width, height)
            sized = True
        at += 2 + length
        if mark == 0xDA:
            break
    if not sized or b"\xff\xd9" not in content[-64:]:
        raise _broken()
    return "image/jpeg"


def _webp(content: bytes) -> str:
    (length,) = struct.unpack("<I", content[4:8])
    if length + 8 not in (len(content), len(content) - 1) or content[12:16] not in (
        b"VP8 ",
        b"VP8L",
        b"VP8X",
    ):
        raise _broken()
    return "image/webp"


def _pdf(content: bytes) -> str:
    if b"%%EOF" not in content[-2048:]:
        raise _broken()
    return "application/pdf"


def _check_pixels(width: int, height: int) -> None:
    if not 0 < width * height <= file_rewriting.MOST_PIXELS:
        raise _too_many_pixels()


def _too_many_pixels() -> BadFile:
    return _bad(_("The picture has too many pixels: send a smaller one."))


def _broken() -> BadFile:
    return _bad(_("The file is damaged or cut short."))


def _bad(text: str) -> BadFile:
    return BadFile(fields={"files": [text]})
