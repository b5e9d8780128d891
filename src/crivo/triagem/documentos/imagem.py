"""Images of pages by Pillow: whether they are whole, how large, what their properties say; their text by whoever reads images here."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel
from crivo.triagem.documentos.lido import TrechoOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import read_xmp
from crivo.triagem.documentos.ocr import Leitora
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.documentos.texto import clean
from crivo.triagem.documentos.tinta import Pintura

_LARGEST_SIDE = 5_000  # pixels: beyond, nothing more can be read
_FORMATS = ("JPEG", "PNG", "TIFF")
_TEXT_TAGS = (0x010D, 0x010E, 0x013B, 0x9286, 0x9C9B, 0x9C9C, 0x9C9F)  # document name, description, artist, comments, title, subject
_PACKED = frozenset({"exif", "icc_profile", "photoshop", "xmp", "XML:com.adobe.xmp"})  # read by themselves, or no text
_UTF_16_TAGS = (0x9C9B, 0x9C9C, 0x9C9F)
_ORIENTATION = 0x0112
_ON_ITS_SIDE = frozenset({5, 6, 7, 8})
_MOST_SIDE = 16_000  # pixels: browsers show no longer image
_QUICK = 1  # of zlib's levels: a page is drawn to be looked at now


def read_imagem(content: bytes, limites: Limites) -> Conteudo:
    """An image as one page, or a TIFF as several. Raises DocumentoIlegivel: corrompido, or grande_demais by its pixels."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            total = int(getattr(image, "n_frames", 1))
            about = (*_properties(image), *read_xmp(content[: limites.max_bytes]))
            leitora = Leitora(find_tesseract(), limites)
            pages = []
            for number in range(1, min(total, limites.max_paginas_ocr) + 1):
                image.seek(number - 1)
                if image.width * image.height > limites.max_pixels:
                    raise DocumentoIlegivel("grande_demais")
                image.load()
                pages.append(leitora.pagina(number, lambda: _painted(image)))
    except Image.DecompressionBombError:
        raise DocumentoIlegivel("grande_demais") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise DocumentoIlegivel("corrompido") from None
    unseen = tuple(TrechoOculto(text, "metadado") for text in dict.fromkeys(about) if text)
    return Conteudo(tuple(pages), unseen, total, leitora.leitura, leitora.faltou)


def _painted(image: Image.Image) -> Pintura:
    """The image as it is shown, in colours or greys: upright where its camera knew how it was held, white where nothing was drawn."""
    if min(image.size) > _LARGEST_SIDE:
        image.thumbnail((_LARGEST_SIDE, _LARGEST_SIDE), Image.Resampling.BOX)
    return np.asarray(_in_colour(ImageOps.exif_transpose(image)))


def _properties(image: Image.Image) -> list[str]:
    values: list[object] = [value for key, value in image.info.items() if key not in _PACKED]
    exif = image.getexif()
    for tag in _TEXT_TAGS:
        value = exif.get(tag)
        values.append(value.decode("utf-16-le", "ignore") if isinstance(value, bytes) and tag in _UTF_16_TAGS else value)
    texts = [value.decode("utf-8", "ignore") if isinstance(value, bytes) else value for value in values]
    return [clean(text) for text in texts if isinstance(text, str)]


def draw_imagem(content: bytes, numero: int, largura: int, limites: Limites) -> bytes | None:
    """Image `numero`, from 1, the right way up, as a PNG `largura` pixels wide or as wide as it is; None where there is no such image.

    Raises DocumentoIlegivel: corrompido, or grande_demais by its pixels.
    """
    try:
        with _opened(content, numero, limites) as image:
            if image is None:
                return None
            sideways = image.getexif().get(_ORIENTATION) in _ON_ITS_SIDE
            across, down = (image.height, image.width) if sideways else image.size
            scale = min(1.0, largura / across, _MOST_SIDE / max(across, down))
            wanted = max(1, round(across * scale)), max(1, round(down * scale))
            image.draft("RGB", wanted[::-1] if sideways else wanted)  # a JPEG is opened at about the size that is wanted
            upright = _in_colour(ImageOps.exif_transpose(image))
            return _png(upright if upright.size == wanted else upright.resize(wanted, Image.Resampling.BOX, reducing_gap=2.0))
    except Image.DecompressionBombError:
        raise DocumentoIlegivel("grande_demais") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise DocumentoIlegivel("corrompido") from None


def size_imagem(content: bytes, numero: int, limites: Limites) -> tuple[int, int, int] | None:
    """How many images a file has, and how wide and high the `numero`-th is the right way up, in pixels; None where there is no such one.

    Raises DocumentoIlegivel: corrompido, or grande_demais by its pixels.
    """
    try:
        with _opened(content, numero, limites) as image:
            if image is None:
                return None
            sideways = image.getexif().get(_ORIENTATION) in _ON_ITS_SIDE
            across, down = (image.height, image.width) if sideways else image.size
            return int(getattr(image, "n_frames", 1)), across, down
    except Image.DecompressionBombError:
        raise DocumentoIlegivel("grande_demais") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise DocumentoIlegivel("corrompido") from None


def as_png(pixels: NDArray[np.uint8]) -> bytes:
    """Pixels of red, green and blue as a PNG; in greys where they are nothing else, which is quicker and smaller."""
    grey = bool((pixels[..., 0] == pixels[..., 1]).all() and (pixels[..., 1] == pixels[..., 2]).all())
    return _png(Image.fromarray(np.ascontiguousarray(pixels[..., 0]) if grey else pixels))


@contextmanager
def _opened(content: bytes, numero: int, limites: Limites) -> Iterator[Image.Image | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if not 1 <= numero <= int(getattr(image, "n_frames", 1)):
                yield None
                return
            image.seek(numero - 1)
            if image.width * image.height > limites.max_pixels:
                raise DocumentoIlegivel("grande_demais")
            yield image


def _in_colour(image: Image.Image) -> Image.Image:
    """The image in greys or in red, green and blue, on white paper where it lets something through."""
    if image.mode.startswith(("I", "F")):  # 16 or 32 bits a pixel, which others cut off instead of scaling
        deep = np.asarray(image, np.float64)
        top = 65535.0 if image.mode.startswith("I;16") or deep.max(initial=0) > 255 else 255.0
        return Image.fromarray((deep * (255.0 / top)).clip(0, 255).astype(np.uint8))
    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        seen = image.convert("RGBA")
        paper = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(paper, seen).convert("RGB")
    return image.convert("RGB")


def _png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=_QUICK)
    return buffer.getvalue()
