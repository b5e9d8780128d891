"""Images of pages by Pillow: whether they are whole, how large, what their properties say; their text by whoever reads images here."""

from __future__ import annotations

import io
import warnings

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel
from crivo.triagem.documentos.folha import Cinza
from crivo.triagem.documentos.lido import TrechoOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import read_xmp
from crivo.triagem.documentos.ocr import Leitora
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.documentos.texto import clean

_LARGEST_SIDE = 5_000  # pixels: beyond, nothing more can be read
_FORMATS = ("JPEG", "PNG", "TIFF")
_TEXT_TAGS = (0x010D, 0x010E, 0x013B, 0x9286, 0x9C9B, 0x9C9C, 0x9C9F)  # document name, description, artist, comments, title, subject
_PACKED = frozenset({"exif", "icc_profile", "photoshop", "xmp", "XML:com.adobe.xmp"})  # read by themselves, or no text
_UTF_16_TAGS = (0x9C9B, 0x9C9C, 0x9C9F)


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
                pages.append(leitora.pagina(number, lambda: _grey(image)))
    except Image.DecompressionBombError:
        raise DocumentoIlegivel("grande_demais") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise DocumentoIlegivel("corrompido") from None
    unseen = tuple(TrechoOculto(text, "metadado") for text in dict.fromkeys(about) if text)
    return Conteudo(tuple(pages), unseen, total, leitora.leitura, leitora.faltou)


def _grey(image: Image.Image) -> Cinza:
    """The image as it is shown, in grey: upright where its camera knew how it was held, white where nothing was drawn."""
    if min(image.size) > _LARGEST_SIDE:
        image.thumbnail((_LARGEST_SIDE, _LARGEST_SIDE), Image.Resampling.BOX)
    upright = ImageOps.exif_transpose(image)
    if upright.mode in {"RGBA", "LA", "PA"} or "transparency" in upright.info:
        drawn = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn)
    return np.asarray(upright.convert("L"))


def _properties(image: Image.Image) -> list[str]:
    values: list[object] = [value for key, value in image.info.items() if key not in _PACKED]
    exif = image.getexif()
    for tag in _TEXT_TAGS:
        value = exif.get(tag)
        values.append(value.decode("utf-16-le", "ignore") if isinstance(value, bytes) and tag in _UTF_16_TAGS else value)
    texts = [value.decode("utf-8", "ignore") if isinstance(value, bytes) else value for value in values]
    return [clean(text) for text in texts if isinstance(text, str)]
