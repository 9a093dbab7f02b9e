"""Make the outlines that tiles are drawn with: a font in, the outlines of the signs that tiles may show out.

    npm pack @fontsource/noto-serif-tc
    python tools/make_glyphs.py fontsource-noto-serif-tc-5.3.0.tgz

writes `engine/tilewright/presentation/glyphs.json` and, beside it, the licence of the font. Only authors of
Tilewright run it: the outlines are kept in the repository, and a machine that draws tiles needs no font. Needs
fonttools (group dev).
"""

import io
import json
import re
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

WEIGHT = "700"
UNITS = 400  # of the square that a sign is drawn in; whole numbers are fine enough at the size of a tile
FOLDER = Path(__file__).resolve().parents[1] / "engine" / "tilewright" / "presentation"

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-*/?!&.×"
NUMERALS = "零〇一二三四五六七八九十百千萬万兩"
USUAL = "東南西北中發发白東风風梅蘭菊竹春夏秋冬花草筒餅索條条字牌"
OTHERS = (
    "百搭聽用財神寶王后皇帝將士相象車馬炮兵卒福祿壽喜琴棋書畫漁樵耕讀貓鼠雞蟲魚鳥龍鳳虎龜鶴蝶蜂"
    "桃李杏荷蓮牡丹桂松柏楓葉金木水火土日月星天地人山川河海江湖雲雨雪雷電石玉珠"
    "紅綠藍黃黑青赤紫橙灰大小上下左右前後內外高低長短橫縱豎直正反方圓空滿無有元和仁義禮智信忠孝文武"
    "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥公母男女父兄弟友心手口目刀劍弓箭旗鼓鐘燈酒茶米飛吉凶"
)
SIGNS = "".join(dict.fromkeys(LATIN + NUMERALS + USUAL + OTHERS))


def main(archive: str) -> None:
    """Write outlines and licence from the archive of a font as npm has it."""
    with tarfile.open(archive) as files:
        fonts = list(fonts_in(files))
        licence = read(files, "package/LICENSE").decode("utf-8")
    glyphs = {sign: outline for sign in SIGNS if (outline := outline_of(sign, fonts))}
    print(f"{len(glyphs)} signs; without an outline: {''.join(sign for sign in SIGNS if sign not in glyphs)}")
    name = str(fonts[0]["name"].getDebugName(1))
    head = json.dumps({"font": name, "units": UNITS}, ensure_ascii=False)[:-1]
    lines = ",\n".join(f"{json.dumps(sign, ensure_ascii=False)}: {json.dumps(glyph)}" for sign, glyph in glyphs.items())
    (FOLDER / "glyphs.json").write_text(f'{head}, "glyphs": {{\n{lines}\n}}}}\n', encoding="utf-8")
    (FOLDER / "glyphs.LICENSE.txt").write_text(licence, encoding="utf-8")


def fonts_in(files: tarfile.TarFile) -> Iterator[TTFont]:
    """Every part of the font in the weight that is wanted."""
    for name in sorted(files.getnames()):
        if name.endswith(f"-{WEIGHT}-normal.woff"):
            yield TTFont(io.BytesIO(read(files, name)))


def read(files: tarfile.TarFile, name: str) -> bytes:
    found = files.extractfile(name)
    assert found is not None
    return found.read()


def outline_of(sign: str, fonts: list[TTFont]) -> list[object] | None:
    """The outline of a sign as `drawn` gives it; None where no part of the font has it."""
    for font in fonts:
        glyph = font.getBestCmap().get(ord(sign))
        if glyph is not None:
            return drawn(font, glyph)
    return None


COMMAND = re.compile(r"([MLHVQZ])([^MLHVQZ]*)")
NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4}  # of one command


def relative(path: str) -> str:
    """The same path with every point as seen from the end of the command before: a third fewer bytes to send."""
    found, last, start, end = [], "", (0, 0), (0, 0)
    for command, numbers in commands(path):
        across = command == "V"  # its only number goes down
        steps = [number - end[(place + across) % 2] for place, number in enumerate(numbers)]
        match command:
            case "Z":
                end = start
            case "H":
                end = (numbers[0], end[1])
            case "V":
                end = (end[0], numbers[0])
            case _:
                end = (numbers[-2], numbers[-1])
        if command == "M":
            start = end
        words = "".join(f"{'' if step < 0 or not place else ' '}{step}" for place, step in enumerate(steps))
        found.append(("" if words.startswith("-") else " ") + words if command == last else command.lower() + words)
        last = "" if command in "MZ" else command
    return "".join(found)


def commands(path: str) -> Iterator[tuple[str, list[int]]]:
    """The commands of a path one by one; further points after a move are lines."""
    for command, text in COMMAND.findall(path):
        numbers = [int(number) for number in re.findall(r"-?\d+", text)]
        size = NUMBERS.get(command, 1)
        yield command, numbers[:size]
        for place in range(size, len(numbers), size):
            yield "L" if command == "M" else command, numbers[place : place + size]


def drawn(font: TTFont, glyph: str) -> list[object]:
    """The outline of a glyph: width and height of its inked box, its advance, how far it goes below the line, and its
    path; y goes down, and the box starts at 0 0."""
    glyphs = font.getGlyphSet()
    scale = UNITS / font["head"].unitsPerEm
    bounds = BoundsPen(glyphs)
    glyphs[glyph].draw(bounds)
    left, bottom, right, top = bounds.bounds or (0, 0, 0, 0)
    pen = SVGPathPen(glyphs, ntos=whole)
    glyphs[glyph].draw(TransformPen(pen, Transform(scale, 0, 0, -scale, -left * scale, top * scale)))
    sizes = [round(number * scale) for number in (right - left, top - bottom, glyphs[glyph].width, -bottom)]
    return [*sizes, relative(pen.getCommands())]


def whole(number: float) -> str:
    return str(round(number))


if __name__ == "__main__":
    main(sys.argv[1])
