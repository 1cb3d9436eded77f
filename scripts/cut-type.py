"""Builds the fonts of src/client/ui/type from Newsreader, and writes type.css, which declares them.

    npm pack @fontsource-variable/newsreader@5.3.0 && tar xzf fontsource-variable-newsreader-5.3.0.tgz
    python3 scripts/cut-type.py package/files

Needs fontTools with brotli. The results are in the repository, so building and running the site does not need this.
"""

import io
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from free_spaces import free_spaces

source = Path(sys.argv[1])
target = Path(__file__).parent.parent / "src/client/ui/type"

# The characters of every text. Pages load the other Latin parts when they need them.
basic = {*range(0x20, 0x7F), 0xA0, 0xA9, 0xAB, 0xB0, 0xB7, 0xBB, 0xD7, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A}
basic |= {0x201C, 0x201D, 0x201E, 0x2022, 0x2026, 0x20AC, 0x2212}

# Name, family, style, the weights covered, and the position on Newsreader's axes.
faces = [
    ("text", "Newsreader", "normal", "100 500", {"wght": 400, "opsz": 18}),
    ("strong", "Newsreader", "normal", "501 900", {"wght": 640, "opsz": 18}),
    ("italic", "Newsreader", "italic", "100 500", {"wght": 400, "opsz": 18}),
    ("strong-italic", "Newsreader", "italic", "501 900", {"wght": 640, "opsz": 18}),
    ("title", "Newsreader Title", "normal", "501 900", {"wght": 570, "opsz": 36}),
    ("poster", "Newsreader Title", "normal", "100 500", {"wght": 450, "opsz": 72}),
]


def cut(file, place, name, wanted):
    """Saves one font with the wanted characters. Returns the characters."""
    font = instancer.instantiateVariableFont(TTFont(source / file), place)
    letters = sorted(filter(wanted, font.getBestCmap()))
    options = subset.Options(hinting=False, layout_features=["kern", "liga", "mark", "mkmk", "tnum", "pnum"])
    options.name_IDs = [0, 1, 2, 13, 14]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    free_spaces(font)
    font.flavor = "woff2"
    font.save(target / f"{name}.woff2")
    return letters


def ranges(letters):
    """Returns them as a CSS unicode-range."""
    runs = []
    for letter in letters:
        if runs and runs[-1][1] == letter - 1:
            runs[-1][1] = letter
        else:
            runs.append([letter, letter])
    return ", ".join(f"U+{a:04X}" if a == b else f"U+{a:04X}-{b:04X}" for a, b in runs)


css = io.StringIO()
css.write("/* Written by scripts/cut-type.py, as are the files: Newsreader at the sizes and weights that the site sets it in. */\n")
for name, family, style, weights, place in faces:
    taken = set()
    for part, file in [("basic", "latin"), ("latin", "latin"), ("latin-ext", "latin-ext")]:
        wanted = basic.__contains__ if part == "basic" else lambda letter: letter not in taken
        has = cut(f"newsreader-{file}-opsz-{style}.woff2", place, f"{name}-{part}", wanted)
        taken.update(has)
        css.write(f"""@font-face {{
  font-family: "{family}";
  font-style: {style};
  font-weight: {weights};
  font-display: swap;
  src: url("./type/{name}-{part}.woff2") format("woff2");
  unicode-range: {ranges(has)};
}}
""")
(target.parent / "type.css").write_text(css.getvalue())
