"""Makes spaces equally wide beside all letters: Newsreader also kerns commas and full stops across the following space."""


def free_spaces(font):
    """Deletes the kerning pairs that contain a space, if the font has kerning."""
    letters = font.getBestCmap()
    spaces = {letters[code] for code in (0x20, 0xA0) if code in letters}
    for table in pairs_of(font):
        coverage = table.Coverage.glyphs
        if table.Format == 1:
            sets = zip(coverage, table.PairSet)
            kept = [(glyph, pairs) for glyph, pairs in sets if glyph not in spaces]
            table.Coverage.glyphs = [glyph for glyph, _ in kept]
            table.PairSet = [pairs for _, pairs in kept]
            table.PairSetCount = len(kept)
            for pairs in table.PairSet:
                pairs.PairValueRecord = [pair for pair in pairs.PairValueRecord if pair.SecondGlyph not in spaces]
                pairs.PairValueCount = len(pairs.PairValueRecord)
        else:
            table.Coverage.glyphs = [glyph for glyph in coverage if glyph not in spaces]
            # Without a class of its own, a space is in class 0, which has no kerning.
            for classes in (table.ClassDef1.classDefs, table.ClassDef2.classDefs):
                for space in spaces:
                    classes.pop(space, None)


def pairs_of(font):
    """Yields the tables of kerning pairs."""
    if "GPOS" not in font or not font["GPOS"].table.LookupList:
        return
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            table = getattr(table, "ExtSubTable", table)
            if type(table).__name__ == "PairPos":
                yield table


def moved_spaces(font):
    """Returns the kerned pairs with a space: none, after free_spaces."""
    letters = font.getBestCmap()
    spaces = {letters[code] for code in (0x20, 0xA0) if code in letters}
    found = []
    for table in pairs_of(font):
        coverage = table.Coverage.glyphs
        if table.Format == 1:
            for first, pairs in zip(coverage, table.PairSet):
                for pair in pairs.PairValueRecord:
                    if spaces & {first, pair.SecondGlyph} and moves(pair):
                        found.append((first, pair.SecondGlyph))
        else:
            seconds = table.ClassDef2.classDefs
            for first in coverage:
                record = table.Class1Record[table.ClassDef1.classDefs.get(first, 0)].Class2Record
                others = font.getGlyphOrder() if first in spaces else spaces
                found += [(first, other) for other in others if moves(record[seconds.get(other, 0)])]
    return found


def moves(pair):
    return any(value and any(vars(value).values()) for value in (pair.Value1, pair.Value2))
