"""Builds the fonts that cards are rendered with (src/server/media/card-type), and lists their characters.

    npm pack @fontsource/newsreader@5.3.0 @fontsource/noto-serif@5.3.0 @fontsource/noto-naskh-arabic@5.3.0 @fontsource/noto-serif-hebrew@5.3.0
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
weight = "600-normal.woff"
# In order of precedence: the renderer takes characters that Newsreader lacks from the others.
families = {
    "newsreader": ["latin", "latin-ext", "vietnamese"],
    "noto-serif": ["cyrillic", "greek"],
    "noto-naskh-arabic": ["arabic"],
    "noto-serif-hebrew": ["hebrew"],
}

letters = set()
for family, scripts in families.items():
    for script in scripts:
        font = TTFont(source / family / "package/files" / f"{family}-{script}-{weight}")
        own = set(font.getBestCmap())
        options = subset.Options(hinting=False, layout_features=["*"])
        options.name_IDs = [0, 1, 2, 4, 6, 13, 14]
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=own)
        subsetter.subset(font)
        free_spaces(font)
        font.flavor = None
        font.save(target / f"{family}-{script}.ttf")
        letters |= own

runs = []
for letter in sorted(letters):
    if runs and runs[-1][1] == letter - 1:
        runs[-1][1] = letter
    else:
        runs.append([letter, letter])
(target / "letters.json").write_text(json.dumps(runs) + "\n")
