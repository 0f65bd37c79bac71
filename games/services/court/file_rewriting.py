"""Pictures and PDF files written anew from what can be seen in them.

Runs in a process of its own, with limits: the libraries below read what strangers sent.
"""

from __future__ import annotations

import io
from typing import Any

import pikepdf
from PIL import Image, ImageOps, UnidentifiedImageError

MOST_PIXELS = 60_000_000
MOST_PIXELS_AT_ONCE = 25_000_000  # in memory; a larger JPEG is read at half its size or less
LONGEST_SIDE = 4000
MOST_OBJECTS = 50_000

# Of a page only what is drawn. Forms and notes are drawn first, then dropped with all that could act.
_PAGE = {"/Type", "/Parent", "/Contents", "/Resources", "/MediaBox", "/CropBox", "/Rotate"}
_ACTIVE = (
    "/AA", "/OpenAction", "/JS", "/JavaScript", "/Launch", "/EmbeddedFile", "/EmbeddedFiles", "/EF", "/AF", "/XFA", "/RichMedia",
    "/RichMediaContent", "/A", "/Action", "/PieceInfo", "/Metadata", "/OPI", "/Ref",
)  # fmt: skip
_ACTIVE_KINDS = {"/JavaScript", "/Launch", "/EmbeddedFile", "/Filespec", "/RichMedia"}


class UnreadableFile(Exception):
    """Damaged, protected, or without a page."""


class TooManyPixels(Exception):
    pass


def rewrite_image(content: bytes) -> tuple[bytes, str]:
    """The first picture of a JPEG, PNG or WebP file, upright, without any other data. PNG stays PNG, the others are JPEG."""
    try:
        with Image.open(io.BytesIO(content), formats=["JPEG", "PNG", "WEBP"]) as image:
            if image.width * image.height > MOST_PIXELS:
                raise TooManyPixels
            if image.format == "JPEG":
                times = max(1, max(image.size) // LONGEST_SIDE)
                image.draft("RGB", (image.width // times, image.height // times))
            if image.width * image.height > MOST_PIXELS_AT_ONCE:
                raise TooManyPixels
            is_png = image.format == "PNG"
            upright = ImageOps.exif_transpose(image)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise UnreadableFile from None
    plain = _bare(upright, keeps_alpha=is_png)
    plain.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    out = io.BytesIO()
    if is_png:
        plain.save(out, "PNG", compress_level=1)
        return out.getvalue(), "image/png"
    plain.save(out, "JPEG", quality=88)
    return out.getvalue(), "image/jpeg"


def _bare(image: Image.Image, *, keeps_alpha: bool) -> Image.Image:
    """The pixels alone: no profile, no text, no place."""
    has_alpha = keeps_alpha and (image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info)
    plain = image.convert("RGBA" if has_alpha else "RGB")
    plain.info.clear()
    return plain


def rewrite_pdf(content: bytes) -> bytes:
    """The pages of a PDF and nothing else of it. Raises UnreadableFile."""
    out = io.BytesIO()
    try:
        with pikepdf.open(io.BytesIO(content)) as given, pikepdf.new() as pages:
            if not len(given.pages):
                raise UnreadableFile
            given.generate_appearance_streams()
            given.flatten_annotations("screen")
            for page in given.pages:
                _keep_what_is_drawn(page.obj)
                pages.pages.append(page)
            for index, found in enumerate(pages.objects):
                if index > MOST_OBJECTS:
                    raise UnreadableFile
                _disarm(found)
            pages.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable, deterministic_id=True)
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, TypeError, KeyError, RuntimeError):
        raise UnreadableFile from None
    return out.getvalue()


def _keep_what_is_drawn(page: pikepdf.Dictionary) -> None:
    inherited = {
        name: pikepdf.Page(page).get(name) for name in ("/Resources", "/MediaBox", "/CropBox", "/Rotate")
    }
    for name, value in inherited.items():
        if value is not None:
            page[name] = value
    for name in list(page.keys()):
        if name not in _PAGE:
            del page[name]


def _disarm(found: Any) -> None:
    """Take what could act out of an object and all that it holds directly."""
    waiting = [found]
    while waiting:
        value = waiting.pop()
        if isinstance(value, pikepdf.Array):
            waiting += [item for item in value if not getattr(item, "is_indirect", False)]
        elif isinstance(value, pikepdf.Dictionary | pikepdf.Stream):
            names = value.stream_dict if isinstance(value, pikepdf.Stream) else value
            is_active = (
                str(names.get("/S", "")) in _ACTIVE_KINDS or str(names.get("/Type", "")) in _ACTIVE_KINDS
            )
            for name in list(names.keys()):
                if name in _ACTIVE or is_active:
                    del names[name]
                elif not getattr(names[name], "is_indirect", False):
                    waiting.append(names[name])
