"""Files of evidence are kept as they can be seen: without places, scripts, actions and attachments."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from games.services.court import file_rewriting
from games.services.court.files import BadFile, made_harmless

SCRIPT = b"app.alert(1)"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "script.pdf"


def picture(kind: str, *, size: tuple[int, int] = (60, 40), mode: str = "RGB", orientation: int = 1) -> bytes:
    image = Image.new(mode, size, "white")
    image.paste("black", (0, 0, 20, 20))
    exif = image.getexif()
    exif[0x010F] = "Camera of Hubert"
    exif[0x0112] = orientation
    exif.get_ifd(0x8825)[1] = "N"
    out = io.BytesIO()
    image.save(out, kind, exif=exif)
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "kept"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/jpeg")]
)
def test_a_picture_loses_what_the_camera_wrote_beside_it(kind: str, kept: str) -> None:
    given = picture(kind)
    assert b"Hubert" in given

    content, media_type = made_harmless(given)

    assert media_type == kept
    assert b"Hubert" not in content and b"Exif" not in content
    with Image.open(io.BytesIO(content)) as image:
        assert (image.size, len(image.getexif())) == ((60, 40), 0)


def test_a_picture_taken_sideways_is_kept_upright() -> None:
    content, _media_type = made_harmless(picture("JPEG", orientation=6))

    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (40, 60)
        assert image.getpixel((39, 0))[0] < 60  # type: ignore[index]  # black is where it was seen


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_with_bytes_behind_its_end_or_cut_short(kind: str) -> None:
    given = picture(kind)

    with pytest.raises(BadFile):
        made_harmless(given[: len(given) // 2])


@pytest.mark.parametrize(
    ("kind", "size"), [("PNG", (9000, 9000)), ("WEBP", (10_000, 8000)), ("JPEG", (9000, 9000))]
)
def test_every_kind_has_a_limit_of_pixels(kind: str, size: tuple[int, int]) -> None:
    out = io.BytesIO()
    Image.new("L" if kind != "WEBP" else "RGB", size).save(out, kind)

    with pytest.raises(BadFile):
        made_harmless(out.getvalue())


def test_the_large_picture_of_a_phone_is_kept_smaller() -> None:
    content, _media_type = made_harmless(picture("JPEG", size=(8000, 6000)))

    with Image.open(io.BytesIO(content)) as image:
        assert max(image.size) == file_rewriting.LONGEST_SIDE


def active_pdf() -> bytes:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(200, 100))
    script = pdf.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String(SCRIPT)))
    pdf.Root.OpenAction = script
    pdf.Root.AA = pikepdf.Dictionary(WC=script)
    pdf.Root.Names = pikepdf.Dictionary(JavaScript=pikepdf.Dictionary(Names=[pikepdf.String("x"), script]))
    pdf.attachments["virus.exe"] = b"MZ attached"
    page.obj.AA = pikepdf.Dictionary(O=script)
    launch = pikepdf.Dictionary(S=pikepdf.Name.Launch, F=pikepdf.String("cmd.exe"))
    link = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 9, 9], A=launch)
    page.obj.Annots = pdf.make_indirect(pikepdf.Array([pdf.make_indirect(link)]))
    page.obj.Resources = pikepdf.Dictionary(
        Properties=pikepdf.Dictionary(P=pikepdf.Dictionary(AA=script, JS=script))
    )
    page.obj.Contents = pdf.make_stream(b"BT (seen) Tj ET")
    out = io.BytesIO()
    pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True)
    return out.getvalue()


def unpacked(content: bytes) -> bytes:
    """Everything a reader can reach, with nothing compressed."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        pdf.save(
            out,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            stream_decode_level=pikepdf.StreamDecodeLevel.all,
            compress_streams=False,
        )
    return content + out.getvalue()


FORBIDDEN = [
    b"JavaScript",
    b"/JS",
    b"/OpenAction",
    b"/AA",
    b"/Launch",
    b"EmbeddedFile",
    b"alert",
    b"cmd.exe",
    b"MZ attached",
]


def test_nothing_that_acts_is_left_in_a_pdf() -> None:
    given = active_pdf()
    assert all(word in unpacked(given) for word in FORBIDDEN)

    content, media_type = made_harmless(given)

    assert media_type == "application/pdf"
    plain = unpacked(content)
    assert [word for word in FORBIDDEN if word in plain] == []
    assert b"(seen)" in plain
    assert made_harmless(given) == (content, media_type)  # the same file is known again


def test_the_shared_pdf_with_a_script_in_a_compressed_object() -> None:
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not on this machine")
    try:
        content, _media_type = made_harmless(SHARED.read_bytes())
    except BadFile:
        return
    plain = unpacked(content)
    assert [word for word in FORBIDDEN if word in plain] == []


@pytest.mark.parametrize("cut", [20, 200, -30])
def test_a_damaged_pdf_is_refused_or_repaired(cut: int) -> None:
    given = active_pdf()
    try:
        content, _media_type = made_harmless(given[:cut] + b"\n%%EOF")
    except BadFile:
        return
    assert [word for word in FORBIDDEN if word in unpacked(content)] == []
