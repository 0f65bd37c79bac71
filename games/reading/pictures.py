"""Pictures out of files: photographs, and the scanned pages of a PDF. Nothing is drawn: a page is its one picture."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np
import pikepdf
from PIL import Image, UnidentifiedImageError

from games.reading.boxes import Array
from games.reading.faults import Fault, Unreadable

MOST_PIXELS = 60_000_000
LONGEST_SIDE = 3000  # ten pixels a millimetre are more than the network sees
MOST_PAGES = 200
KINDS = ["JPEG", "PNG", "WEBP"]


def is_pdf(content: bytes) -> bool:
    return content.startswith(b"%PDF-")


def pages_of(content: bytes) -> Iterator[bytes | Fault]:
    """The pictures in a file, each as the bytes of a picture file; a fault for a page of a PDF that holds none."""
    if is_pdf(content):
        yield from _of_pdf(content)
    else:
        yield content


def _of_pdf(content: bytes) -> Iterator[bytes | Fault]:
    try:
        with pikepdf.open(io.BytesIO(content)) as file:
            if len(file.pages) > MOST_PAGES:
                yield Fault.TOO_LARGE
                return
            for page in file.pages:
                yield _picture_of(page)
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, RuntimeError):
        yield Fault.NO_PICTURE


def _picture_of(page: pikepdf.Page) -> bytes | Fault:
    """The largest picture of a page, turned as the page is shown."""
    try:
        found = [pikepdf.PdfImage(cast(pikepdf.Stream, image)) for image in page.get_images().values()]
        if not found:
            return Fault.NO_PICTURE
        largest = max(found, key=lambda image: image.width * image.height)
        if largest.width * largest.height > MOST_PIXELS:
            return Fault.TOO_LARGE
        picture = largest.as_pil_image().convert("L")
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=92)
    except (pikepdf.PdfError, NotImplementedError, ValueError, OSError, TypeError, KeyError):
        return Fault.NO_PICTURE
    return out.getvalue()


def grey(content: bytes) -> Array:
    """A picture as grey values, upright as the camera says, no side longer than LONGEST_SIDE. Raises Unreadable."""
    try:
        with Image.open(io.BytesIO(content), formats=KINDS) as header:
            width, height = header.size
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Unreadable(Fault.NO_PICTURE) from None
    if width * height > MOST_PIXELS:
        raise Unreadable(Fault.TOO_LARGE)
    half = max(width, height) >= 2 * LONGEST_SIDE
    mode = cv2.IMREAD_REDUCED_GRAYSCALE_2 if half else cv2.IMREAD_GRAYSCALE
    found = cv2.imdecode(np.frombuffer(content, np.uint8), mode)
    if found is None:
        raise Unreadable(Fault.NO_PICTURE)
    scale = LONGEST_SIDE / max(found.shape)
    return found if scale >= 1 else cv2.resize(found, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
