"""Builds the fonts that cards are rendered with (src/server/media/card-type), and lists their characters.

    npm pack @fontsource/newsreader@5.3.0 @fontsource/noto-serif@5.3.0 @fontsource/noto-naskh-arabic@5.3.0 \
        @fontsource/noto-serif-hebrew@5.3.0 @fontsource/noto-sans-math@5.3.0
    (each unpacked into a folder of its name, as newsreader/)
    python3 scripts/cut-card-type.py FOLDER

Needs fontTools. The results are in the repository, so building and running the site does not need this.
"""

import json
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from free_spaces import free_spaces

source = Path(sys.argv[1])
target = Path(__file__).parent.parent / "src/server/media/card-type"
# In order of precedence: the renderer takes characters that Newsreader lacks from the others.
families = {
    "newsreader": ["latin", "latin-ext", "vietnamese"],
    "noto-serif": ["cyrillic", "greek"],
    "noto-naskh-arabic": ["arabic"],
    "noto-serif-hebrew": ["hebrew"],
}

# Signs that the fonts above lack, by ranges of code points: arrows, mathematical signs, stars.
signs = {
    ("noto-serif", "math", "600"): [(0x2070, 0x209C)],
    ("noto-sans-math", "latin", "400"): [
        (0x2190, 0x2199),
        (0x21A6, 0x21A6),
        (0x21D0, 0x21D5),
        (0x2200, 0x22FF),
        (0x25A0, 0x25A1),
        (0x25B2, 0x25B3),
        (0x25CB, 0x25CB),
        (0x25CF, 0x25CF),
        (0x2605, 0x2606),
        (0x2713, 0x2713),
        (0x27F5, 0x27FA),
    ],
}


def cut(family, script, weight, wanted=None):
    """Saves a font with the wanted characters, or all of them. Returns its characters."""
    font = TTFont(source / family / "package/files" / f"{family}-{script}-{weight}-normal.woff")
    own = {code for code in font.getBestCmap() if wanted is None or code in wanted}
    options = subset.Options(hinting=False, layout_features=["*"] if wanted is None else [])
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14]
    if wanted is not None:
        options.drop_tables += ["MATH", "GDEF", "GPOS", "GSUB"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=own)
    subsetter.subset(font)
    free_spaces(font)
    if wanted is not None:
        copy_line_height(TTFont(source / "newsreader/package/files/newsreader-latin-600-normal.woff"), font)
    font.flavor = None
    font.save(target / f"{family}-{script}.ttf")
    return own


def copy_line_height(origin, font):
    """Makes lines with a sign as high as others."""
    scale = font["head"].unitsPerEm / origin["head"].unitsPerEm
    for table, names in {
        "hhea": ["ascent", "descent", "lineGap"],
        "OS/2": ["sTypoAscender", "sTypoDescender", "sTypoLineGap", "usWinAscent", "usWinDescent"],
    }.items():
        for name in names:
            setattr(font[table], name, round(getattr(origin[table], name) * scale))


letters = set()
for family, scripts in families.items():
    for script in scripts:
        letters |= cut(family, script, "600")
for (family, script, weight), ranges in signs.items():
    wanted = {code for first, last in ranges for code in range(first, last + 1)}
    letters |= cut(family, script, weight, wanted - letters)

runs = []
for letter in sorted(letters):
    if runs and runs[-1][1] == letter - 1:
        runs[-1][1] = letter
    else:
        runs.append([letter, letter])
(target / "letters.json").write_text(json.dumps(runs) + "\n")
