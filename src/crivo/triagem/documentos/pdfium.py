"""PDF by pdfium, its one owner here: a page as letters with their places, and as pixels with or without some of its texts."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Self

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from crivo.triagem.documentos.conteudo import DocumentoIlegivel

Pixels = NDArray[np.uint8]  # rows, columns, 4 channels of which the last is unused
Box = tuple[float, float, float, float]  # left, top, right, bottom, in points from the corner of the page as it is shown

_MOST_PIXELS: Final = 4_000_000
_MOST_SHOWN: Final = 12_000_000  # pixels of a page that people look at
_MOST_SIDE: Final = 16_000  # pixels: browsers show no longer image
_FEWEST_DOTS: Final = 100
_NESTING: Final = 8
_MOST_OBJECTS: Final = 500_000
_UNSEEN_FLAGS: Final = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW | raw.FPDF_ANNOT_FLAG_INVISIBLE
_ASKS_FOR_A_PASSWORD: Final = {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY}
_CHECKED: Final = "[x]"
_METADATA: Final = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer")


def _bare(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of the library that takes addresses as they are: called for every letter, conversions would cost most of the time."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_unicode_at = _bare(raw.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_object_at = _bare(raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_item_at = _bare(raw.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_kind_of = _bare(raw.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_box_at = _bare(raw.FPDFText_GetCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4)


@dataclass(frozen=True, slots=True)
class TextObject:
    """One text operation of a page. `size` is that of its letters on paper, in points; `layered`: it belongs to an optional layer."""

    invisible: bool
    color: tuple[int, int, int]
    alpha: int
    size: float
    layered: bool


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a page in reading order: code points, boxes, and the text object of each (-1: made up, as spaces are)."""

    codes: NDArray[np.int32]
    boxes: NDArray[np.float64]
    objects: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Note:
    """Words of an annotation or of a form's field; `drawn`: it is of a kind whose words stand on the page."""

    text: str
    drawn: bool
    box: Box


class Sheet:
    """A page, open."""

    def __init__(self, page: Any, number: int, max_pixels: int) -> None:
        self.number = number
        self._page = page
        self._max_pixels = max_pixels
        self.size: tuple[float, float] = page.get_size()
        if not min(self.size) > 0:
            raise DocumentoIlegivel("corrompido")
        self._bounds = page.get_bbox()
        self._rotation = page.get_rotation()
        self._textpage = page.get_textpage()
        self._handles: list[int] = []
        self._first: list[int] = []
        self.images: list[Box] = []
        self._dots = 0.0  # per inch, of its finest picture
        self._all_texts: list[int] = []
        self._scan_objects()
        self.letters = self._read_letters()

    @property
    def texts(self) -> range:
        """The numbers of its text objects."""
        return range(len(self._handles))

    def scale(self, wanted: float) -> float:
        """Pixels a point at which it can be drawn: as wanted, or fewer for a very large page."""
        return min(wanted, float((_MOST_PIXELS / (self.size[0] * self.size[1])) ** 0.5))

    def draw(self, scale: float, without: Collection[int] = (), *, notes: bool = False) -> Pixels:
        """The page as pixels, `without` some text objects, with its annotations and fields where `notes`."""
        return self._draw(scale, [self._handles[index] for index in without], notes)

    def draw_bare(self, scale: float) -> Pixels:
        """The page as pixels without any text, those left out of the reading for repeating another one included."""
        return self._draw(scale, self._all_texts, notes=False)

    def _draw(self, scale: float, without: Sequence[int], notes: bool) -> Pixels:
        handles = [ctypes.cast(handle, raw.FPDF_PAGEOBJECT) for handle in without]
        for handle in handles:
            raw.FPDFPageObj_SetIsActive(handle, False)
        try:
            bitmap = self._page.render(scale=scale, draw_annots=notes, may_draw_forms=notes, prefer_bgrx=True, limit_image_cache=True)
        finally:
            for handle in handles:
                raw.FPDFPageObj_SetIsActive(handle, True)
        return np.ascontiguousarray(bitmap.to_numpy())

    def text_object(self, index: int) -> TextObject:
        """What is known of one text object."""
        handle = ctypes.cast(self._handles[index], raw.FPDF_PAGEOBJECT)
        return _text_object(handle, self._textpage.raw, self._first[index])

    def picture(self, dots_per_inch: int) -> NDArray[np.uint8]:
        """The page in red, green and blue, for a reader of images: at the dots of its own picture where these are fewer."""
        wanted = min(dots_per_inch, max(self._dots, _FEWEST_DOTS)) if self._dots else dots_per_inch
        scale = min(wanted / 72, (4 * _MOST_PIXELS / (self.size[0] * self.size[1])) ** 0.5)
        return np.ascontiguousarray(self._page.render(scale=scale, rev_byteorder=True).to_numpy()[..., :3])

    def notes(self) -> Iterator[Note]:
        """The words of its annotations and fields."""
        for index in range(raw.FPDFPage_GetAnnotCount(self._page)):
            annotation = raw.FPDFPage_GetAnnot(self._page, index)
            if not annotation:
                continue
            try:
                yield from self._note(annotation)
            finally:
                raw.FPDFPage_CloseAnnot(annotation)

    def _note(self, annotation: Any) -> Iterator[Note]:
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        seen = not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN_FLAGS
        rectangle = raw.FS_RECTF()
        raw.FPDFAnnot_GetRect(annotation, rectangle)
        place = self._shown(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        contents = _wide(lambda buffer, size: raw.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size))
        if contents.strip():
            yield Note(contents, seen and kind == raw.FPDF_ANNOT_FREETEXT, place)
        form = self._page.formenv
        if kind == raw.FPDF_ANNOT_WIDGET and form is not None:
            value = _wide(lambda buffer, size: raw.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
            if raw.FPDFAnnot_IsChecked(form, annotation):
                yield Note(_CHECKED, seen, place)
            elif value.strip() and value not in {"Off", "Yes"}:
                yield Note(value, seen, place)
            tip = _wide(lambda buffer, size: raw.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, size))
            if tip.strip():
                yield Note(tip, False, place)

    def _scan_objects(self) -> None:
        """Find its texts and images, those within forms too."""
        page, count = ctypes.cast(self._page.raw, ctypes.c_void_p).value, raw.FPDFPage_CountObjects(self._page)
        if count > _MOST_OBJECTS:
            raise DocumentoIlegivel("grande_demais")
        items = [_item_at(page, index) for index in range(count)]
        kinds = [_kind_of(item) for item in items]
        if raw.FPDF_PAGEOBJ_IMAGE not in kinds and raw.FPDF_PAGEOBJ_FORM not in kinds:
            self._all_texts = [item for item, kind in zip(items, kinds, strict=True) if kind == raw.FPDF_PAGEOBJ_TEXT]
            return
        wanted = [raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_TEXT]
        for item in islice(self._page.get_objects(filter=wanted, max_depth=_NESTING), _MOST_OBJECTS):
            if item.type == raw.FPDF_PAGEOBJ_IMAGE:
                self.images.append(self._image_box(item))
            else:
                self._all_texts.append(ctypes.cast(item.raw, ctypes.c_void_p).value or 0)

    def _image_box(self, item: Any) -> Box:
        columns, rows = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(item, columns, rows)
        if columns.value * rows.value > self._max_pixels:
            raise DocumentoIlegivel("grande_demais")
        box = self._shown(*_page_box(item))
        longest = max(box[2] - box[0], box[3] - box[1])
        if longest > self.size[0] / 2:  # no logotype
            self._dots = max(self._dots, max(columns.value, rows.value) * 72 / longest)
        return box

    def _read_letters(self) -> Letters:
        count = self._textpage.count_chars()
        codes, objects = [0] * count, [-1] * count
        boxes = np.zeros((count, 4))  # left, bottom, right, top
        textpage, place = ctypes.cast(self._textpage.raw, ctypes.c_void_p).value, boxes.ctypes.data
        known: dict[int, int] = {}
        for index in range(count):
            codes[index] = _unicode_at(textpage, index) & 0x1FFFFF
            handle = _object_at(textpage, index)
            if handle is None:
                continue
            if handle not in known:
                known[handle] = len(self._handles)
                self._handles.append(handle)
                self._first.append(index)
            objects[index] = known[handle]
            row = place + 32 * index
            _box_at(textpage, index, row, row + 16, row + 8, row + 24)
        return Letters(np.array(codes, np.int32), self._as_shown(boxes), np.array(objects, np.int32))

    def _shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        left, top, right, bottom = self._as_shown(np.array([[left, bottom, right, top]]))[0].tolist()
        return left, top, right, bottom

    def _as_shown(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Boxes of the page's own space (left, bottom, right, top) as they lie on the page shown (left, top, right, bottom)."""
        left, bottom, right, top = self._bounds
        x, y = boxes[:, (0, 2)], boxes[:, (1, 3)]
        match self._rotation:
            case 90:
                across, down = y - bottom, x - left
            case 180:
                across, down = right - x, y - bottom
            case 270:
                across, down = top - y, right - x
            case _:
                across, down = x - left, top - y
        shown: NDArray[np.float64] = np.stack((across.min(1), down.min(1), across.max(1), down.max(1)), axis=1)
        return shown


class Pdf:
    """A PDF, open for as long as a `with` block lasts. Raises DocumentoIlegivel: protegido where it asks for a password, corrompido."""

    def __init__(self, content: bytes, max_pixels: int) -> None:
        self._max_pixels = max_pixels
        try:
            self._document = pdfium.PdfDocument(content)
            self._document.init_forms()
        except pdfium.PdfiumError as error:
            raise DocumentoIlegivel("protegido" if error.err_code in _ASKS_FOR_A_PASSWORD else "corrompido") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._document.close()

    @property
    def claimed_pages(self) -> int:
        """How many pages it says to have, which may not be so."""
        return len(self._document)

    def sheet(self, number: int) -> Sheet | None:
        """The page of that number, from 1, to be read before the next one is asked for; None where it is damaged."""
        try:
            return Sheet(self._document.get_page(number - 1), number, self._max_pixels)
        except pdfium.PdfiumError:
            return None

    def drawn(self, number: int, width: int) -> Pixels | None:
        """The page of that number, from 1, as whoever opens the file sees it: red, green, blue, `width` pixels wide, or fewer where the
        page is very long; None where it is damaged.
        """
        try:
            page = self._document.get_page(number - 1)
            across, down = page.get_size()
            if not min(across, down) > 0:
                return None
            scale = min(width / across, (_MOST_SHOWN / (across * down)) ** 0.5, _MOST_SIDE / max(across, down))
            bitmap = page.render(scale=scale, may_draw_forms=True, rev_byteorder=True, limit_image_cache=True)
        except (pdfium.PdfiumError, ValueError):
            return None
        return np.ascontiguousarray(bitmap.to_numpy()[..., :3])

    def metadata(self) -> tuple[str, ...]:
        """What its properties and the names of its attachments say."""
        values = [self._document.get_metadata_value(key) for key in _METADATA]
        for index in range(min(self._document.count_attachments(), 100)):
            try:
                values.append(self._document.get_attachment(index).get_name())
            except pdfium.PdfiumError:
                continue
        return tuple(value for value in values if value.strip())


def _text_object(handle: Any, textpage: Any, letter: int) -> TextObject:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    raw.FPDFPageObj_GetFillColor(handle, red, green, blue, alpha)
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(textpage, letter, matrix)
    shortest = min((matrix.a**2 + matrix.b**2) ** 0.5, (matrix.c**2 + matrix.d**2) ** 0.5)
    return TextObject(
        invisible=raw.FPDFTextObj_GetTextRenderMode(handle) in {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP},
        color=(red.value, green.value, blue.value),
        alpha=alpha.value,
        size=abs(raw.FPDFText_GetFontSize(textpage, letter)) * shortest,
        layered=any(_mark(handle, index) == "OC" for index in range(raw.FPDFPageObj_CountMarks(handle))),
    )


def _mark(handle: Any, index: int) -> str:
    mark = raw.FPDFPageObj_GetMark(handle, index)
    buffer, written = (raw.FPDF_WCHAR * 32)(), ctypes.c_ulong()
    raw.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), written)
    return bytes(buffer)[: max(0, written.value - 2)].decode("utf-16-le", "ignore")


def _page_box(item: Any) -> Box:
    left, bottom, right, top = item.get_bounds()
    corners = [(left, bottom), (left, top), (right, bottom), (right, top)]
    around = item.container
    while around is not None:
        matrix = around.get_matrix()
        corners = [matrix.on_point(*corner) for corner in corners]
        around = around.container
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _wide(read: Any) -> str:
    size = read(None, 0)
    if size <= 2:
        return ""
    buffer = (raw.FPDF_WCHAR * ((size + 1) // 2))()
    read(buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "ignore")
