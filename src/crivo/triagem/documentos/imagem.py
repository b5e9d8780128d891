"""Images of pages by Pillow, its one owner here: whether they are whole, how large, what their properties say; their text by tesseract."""

from __future__ import annotations

import io
import warnings

from PIL import Image, UnidentifiedImageError

from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Pagina, TrechoOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import read_xmp
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.documentos.texto import clean

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
            reader = find_tesseract()
            pages = []
            for number in range(1, min(total, limites.max_paginas_ocr) + 1):
                image.seek(number - 1)
                if image.width * image.height > limites.max_pixels:
                    raise DocumentoIlegivel("grande_demais")
                image.load()
                if reader is not None:
                    pages.append(Pagina(number, clean(split_unseen(reader.read(_as_pgm(image)))[0]), por_ocr=True))
    except Image.DecompressionBombError:
        raise DocumentoIlegivel("grande_demais") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise DocumentoIlegivel("corrompido") from None
    unseen = tuple(TrechoOculto(text, "metadado") for text in dict.fromkeys(about) if text)
    return Conteudo(tuple(pages), unseen, total, falta_ocr=reader is None)


def _as_pgm(image: Image.Image) -> bytes:
    grey = image.convert("L")
    return b"P5 %d %d 255\n" % grey.size + grey.tobytes()


def _properties(image: Image.Image) -> list[str]:
    values: list[object] = [value for key, value in image.info.items() if key not in _PACKED]
    exif = image.getexif()
    for tag in _TEXT_TAGS:
        value = exif.get(tag)
        values.append(value.decode("utf-16-le", "ignore") if isinstance(value, bytes) and tag in _UTF_16_TAGS else value)
    texts = [value.decode("utf-8", "ignore") if isinstance(value, bytes) else value for value in values]
    return [clean(text) for text in texts if isinstance(text, str)]
