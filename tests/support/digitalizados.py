"""Papers as they come out of printers, scanners and telephones: the sample's own, drawn, then spoilt by a drawn hand of faults.

`LOTES`, and later `OFICINA`, were looked at while the reading of images was made; of `NUNCA_AJUSTADOS` nothing was: other faults, other strengths, other seeds.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

Sorte = np.random.Generator
Estrago = Callable[[Image.Image, Sorte], Image.Image]
_SCANNED_AT: Final = 200  # dots per inch
_DESK: Final = (96, 74, 58)


def drawn(pdf: bytes, pagina: int = 0, dpi: int = _SCANNED_AT) -> Image.Image:
    """A page of a PDF as a clean picture."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        image: Image.Image = document[pagina].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()
    return image


def as_jpeg(image: Image.Image, quality: int = 70) -> bytes:
    """What a telephone sends."""
    out = io.BytesIO()
    image.convert("RGB").save(out, "JPEG", quality=quality)
    return out.getvalue()


def as_pdf(*images: Image.Image) -> bytes:
    """What a scanner sends: a picture a page."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for image in images:
        width, height = image.width * 72 / _SCANNED_AT, image.height * 72 / _SCANNED_AT
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(io.BytesIO(as_jpeg(image, 75))), 0, 0, width, height)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _array(image: Image.Image) -> NDArray[np.float32]:
    return np.asarray(image, np.float32)


def _image(pixels: NDArray[np.floating]) -> Image.Image:
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def askew(most: float) -> Estrago:
    """Laid on the glass at an angle, up to so many degrees."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        angle = float(sorte.uniform(most / 3, most)) * (1 if sorte.random() < 0.5 else -1)
        return image.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255))

    return spoil


def turned(*angles: int) -> Estrago:
    """Upside down, or on its side."""
    return lambda image, sorte: image.rotate(int(sorte.choice(angles)), expand=True)


def noisy(grain: float, specks: float) -> Estrago:
    """Grain of so many of 255, and a share of pixels that are black or white for nothing."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        pixels = _array(image) + sorte.normal(0, grain, (image.height, image.width, 1)).astype(np.float32)
        drawn_ = sorte.random((image.height, image.width))
        pixels[drawn_ < specks / 2] = 0
        pixels[drawn_ > 1 - specks / 2] = 255
        return _image(pixels)

    return spoil


def shaded(deepest: float) -> Estrago:
    """A lamp from one side and a hand over a corner: the darkest place keeps so much of the light."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        down, across = np.mgrid[0 : 1 : complex(image.height), 0 : 1 : complex(image.width)].astype(np.float32)
        turn = sorte.uniform(0, 2 * np.pi)
        slope = (np.cos(turn) * (across - 0.5) + np.sin(turn) * (down - 0.5)) + 0.5
        light = 1 - (1 - deepest) * slope.clip(0, 1)
        x, y = sorte.uniform(0.1, 0.9, 2)
        hand = ((across - x) ** 2 / 0.06 + (down - y) ** 2 / 0.04) < 1
        soft = (
            np.asarray(Image.fromarray((hand * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(image.width / 25)), np.float32) / 255
        )
        return _image(_array(image) * (light * (1 - 0.35 * soft))[..., None])

    return spoil


def photographed(lean: float, blur: float, margin: float = 0.12, desk: tuple[int, int, int] = _DESK) -> Estrago:
    """On a desk, seen from the side: each corner moved by up to so much of the page, out of focus by so many pixels."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        wide, high = image.size
        canvas = Image.new("RGB", (int(wide * (1 + 2 * margin)), int(high * (1 + 2 * margin))), desk)
        left, top = wide * margin, high * margin
        moved = [
            (left + x * wide + sorte.uniform(-lean, lean) * wide, top + y * high + sorte.uniform(-lean, lean) * high)
            for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]
        source = ((0.0, 0.0), (wide - 1.0, 0.0), (wide - 1.0, high - 1.0), (0.0, high - 1.0))
        coefficients = _homography(moved, source)
        seen = image.transform(canvas.size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
        inside = Image.new("L", image.size, 255).transform(canvas.size, Image.Transform.PERSPECTIVE, coefficients)
        canvas.paste(seen, (0, 0), inside)
        return canvas.filter(ImageFilter.GaussianBlur(blur))

    return spoil


def stamped(image: Image.Image, sorte: Sorte) -> Image.Image:
    """A round stamp and a signature, where they fall."""
    over = Image.new("RGBA", image.size)
    draw = ImageDraw.Draw(over)
    x, y = float(sorte.uniform(0.45, 0.75)) * image.width, float(sorte.uniform(0.45, 0.8)) * image.height
    for size in (190, 150):
        draw.ellipse((x - size, y - size, x + size, y + size), outline=(40, 40, 160, 150), width=6)
    for angle in range(0, 360, 14):
        turn = np.radians(angle)
        draw.rectangle(
            (x + 165 * np.cos(turn), y + 165 * np.sin(turn), x + 165 * np.cos(turn) + 12, y + 165 * np.sin(turn) + 18),
            fill=(40, 40, 160, 150),
        )
    draw.line(_scribble(sorte, 0.2 * image.width, 0.85 * image.height, 420), fill=(20, 20, 60, 220), width=5)
    return Image.alpha_composite(image.convert("RGBA"), over).convert("RGB")


def faxed(dpi: int) -> Estrago:
    """Black or white, nothing between, at so few dots."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        scale = dpi / _SCANNED_AT
        small = image.convert("L").resize((int(image.width * scale), int(image.height * scale)), Image.Resampling.LANCZOS)
        limit = int(sorte.integers(120, 175))
        return small.point(lambda value: 255 if value > limit else 0).convert("RGB")

    return spoil


def shaken(length: int) -> Estrago:
    """A hand that moved sideways by so many pixels."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        pixels = _array(image)
        across = sorte.random() < 0.5
        return _image(np.mean([np.roll(pixels, step, axis=int(across)) for step in range(length)], axis=0))

    return spoil


def bent(depth: float) -> Estrago:
    """Paper that does not lie flat: lines rise and fall by so much of the page's height."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        pixels = np.asarray(image)
        phase, rows = sorte.uniform(0, np.pi), np.arange(image.height)
        out = np.empty_like(pixels)
        for column in range(image.width):
            shift = int(depth * image.height * np.sin(phase + np.pi * column / image.width))
            out[:, column] = pixels[(rows + shift).clip(0, image.height - 1), column]
        return Image.fromarray(out)

    return spoil


def faded(strength: float, paper: tuple[int, int, int] = (232, 222, 196)) -> Estrago:
    """A weak copy on yellowed paper: ink keeps so much of its strength."""

    def spoil(image: Image.Image, _: Sorte) -> Image.Image:
        ink = 1 - _array(image) / 255
        return _image(np.array(paper, np.float32) * (1 - strength * ink))

    return spoil


def at_dots(dpi: int) -> Estrago:
    """At so few dots per inch, and no more."""
    return lambda image, _: image.resize((image.width * dpi // 200, image.height * dpi // 200), Image.Resampling.LANCZOS)


def slope_of_light(darkest: float) -> Estrago:
    """Dark at one edge, as beside a window: the darkest place keeps so much of the light."""

    def spoil(image: Image.Image, sorte: Sorte) -> Image.Image:
        down, across = np.mgrid[0 : 1 : complex(image.height), 0 : 1 : complex(image.width)]
        turn = float(sorte.uniform(0, 2 * np.pi))
        slope = (np.cos(turn) * (across - 0.5) + np.sin(turn) * (down - 0.5) + 0.6).clip(0, 1)
        light = 1 - (1 - darkest) * slope**1.4
        return Image.fromarray((np.asarray(image) * light[..., None]).clip(0, 255).astype(np.uint8))

    return spoil


def copied(image: Image.Image, sorte: Sorte) -> Image.Image:
    """A copy of a copy: hard contrast, dark edges, specks."""
    pixels = np.asarray(image.convert("L").filter(ImageFilter.GaussianBlur(0.9)), np.float32)
    hard = ((pixels - 128) * 2.6 + 128).clip(12, 244)
    edge = int(sorte.integers(12, 40))
    hard[:edge], hard[:, -edge:] = 25, 25
    hard[sorte.random(hard.shape) < 0.0012] = 30
    return Image.fromarray(hard.astype(np.uint8)).convert("RGB")


@dataclass(frozen=True, slots=True)
class Lote:
    """A way in which papers came, with what happened to each, in order; `foto`: sent as JPEG, else as a PDF of pictures."""

    nome: str
    estragos: tuple[Estrago, ...]
    foto: bool = False
    qualidade: int = 70

    def spoil(self, pdf: bytes, semente: int) -> bytes:
        """The file that is sent instead of this PDF."""
        sorte = np.random.default_rng(semente)
        image = drawn(pdf)
        for estrago in self.estragos:
            image = estrago(image, sorte)
        return as_jpeg(image, self.qualidade) if self.foto else as_pdf(image)


LOTES: Final[Mapping[str, Lote]] = {
    lote.nome: lote
    for lote in (
        Lote("impresso e digitalizado", (noisy(6, 0.0005),)),
        Lote("torto e com ruído", (askew(7), noisy(22, 0.008))),
        Lote("de cabeça para baixo ou de lado", (turned(90, 180, 270), askew(2), noisy(8, 0.001))),
        Lote("fotografado com sombra", (askew(3), shaded(0.35), noisy(9, 0.0)), foto=True),
        Lote("fotografado de lado", (shaded(0.55), photographed(0.045, 0.9), noisy(6, 0.0)), foto=True),
        Lote("carimbado e assinado", (stamped, askew(2), noisy(8, 0.001))),
        Lote("por fax", (askew(1.5), faxed(130))),
    )
}
NUNCA_AJUSTADOS: Final[Mapping[str, Lote]] = {
    lote.nome: lote
    for lote in (
        Lote("cópia fraca em papel amarelado", (faded(0.5), askew(4), noisy(12, 0.003))),
        Lote("folha curva, mão que tremeu", (bent(0.008), shaded(0.5), shaken(3)), foto=True, qualidade=55),
        Lote(
            "fotografado muito de lado, sobre mesa clara",
            (photographed(0.07, 1.2, 0.2, (150, 140, 128)), shaded(0.6)),
            foto=True,
            qualidade=60,
        ),
        Lote("virado, sujo e com carimbo", (stamped, turned(90, 180, 270), askew(5), noisy(16, 0.004))),
        Lote("muito torto", (askew(14), noisy(10, 0.002))),
    )
}


OFICINA: Final[Mapping[str, Lote]] = {
    lote.nome: lote
    for lote in (
        Lote("a 110 dpi, muito comprimido", (askew(1.5), at_dots(110), noisy(4, 0.0)), foto=True, qualidade=35),
        Lote("muito torto e granulado", (askew(9), noisy(15, 0.005))),
        Lote("ao lado da janela", (slope_of_light(0.25), askew(3), noisy(7, 0.0)), foto=True, qualidade=40),
        Lote("na mesa, de perto", (shaded(0.6), photographed(0.06, 0.8, 0.08, (70, 66, 60)), noisy(7, 0.0)), foto=True, qualidade=45),
        Lote("cópia dura", (copied, askew(4), turned(0, 180))),
    )
}


def side_by_side(left: Image.Image, right: Image.Image) -> Image.Image:
    """Two pages in one picture, as an open folder lies on the glass, with the fold between them."""
    out = Image.new("RGB", (left.width + right.width, max(left.height, right.height)), (255, 255, 255))
    out.paste(left, (0, 0))
    out.paste(right, (left.width, 0))
    ImageDraw.Draw(out).rectangle((left.width - 2, 0, left.width + 2, out.height), fill=(120, 120, 120))
    return out


def handwritten(semente: int, linhas: int = 16, size: tuple[int, int] = (1240, 1754)) -> Image.Image:
    """A page of strokes like handwriting, in which there is nothing to read."""
    sorte = np.random.default_rng(semente)
    image = Image.new("RGB", size, (250, 249, 245))
    draw = ImageDraw.Draw(image)
    for linha in range(linhas):
        draw.line(_scribble(sorte, 110, 160 + linha * 92, size[0] - 260), fill=(30, 35, 110), width=4)
    return image


def cat(semente: int = 0, size: tuple[int, int] = (900, 700)) -> Image.Image:
    """A picture of somebody's cat, as far as a reader of text can tell: fur, two ears, two eyes."""
    sorte = np.random.default_rng(semente)
    fur = Image.fromarray(sorte.integers(60, 180, (size[1] // 8, size[0] // 8, 3), np.uint8)).resize(size, Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(fur)
    wide, high = size
    draw.polygon(((wide * 0.3, high * 0.4), (wide * 0.35, high * 0.1), (wide * 0.45, high * 0.35)), fill=(90, 70, 60))
    draw.polygon(((wide * 0.7, high * 0.4), (wide * 0.65, high * 0.1), (wide * 0.55, high * 0.35)), fill=(90, 70, 60))
    for x in (0.42, 0.58):
        draw.ellipse((wide * x - 30, high * 0.45, wide * x + 30, high * 0.45 + 50), fill=(210, 200, 60))
    return fur.filter(ImageFilter.GaussianBlur(2))


def _scribble(sorte: Sorte, x: float, y: float, length: float) -> list[tuple[float, float]]:
    at = np.linspace(0, length, max(8, int(length / 7)))
    rise = np.cumsum(sorte.normal(0, 9, len(at))) * 0.3 + 22 * np.sin(at / sorte.uniform(9, 17)) * sorte.uniform(0.4, 1.0, len(at))
    return [(x + float(step), y + float(lift)) for step, lift in zip(at, rise.clip(-34, 34), strict=True)]


def _homography(from_: list[tuple[float, float]], to: tuple[tuple[float, float], ...]) -> tuple[float, ...]:
    """The eight numbers by which Pillow finds, for each place of the picture made, its place in the one it is made of."""
    rows, wanted = [], []
    for (x, y), (u, v) in zip(from_, to, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    return tuple(np.linalg.solve(np.array(rows), np.array(wanted)).tolist())
