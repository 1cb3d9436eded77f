"""Lets a space be as wide beside any letter: Newsreader draws commas and full stops towards what follows, over the space as well."""


def free_spaces(font):
    """Drops the pairs of kerning that have a space in them, where the letters have kerning at all."""
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
            # Out of its class it is in the one of all others, which no pair moves.
            for classes in (table.ClassDef1.classDefs, table.ClassDef2.classDefs):
                for space in spaces:
                    classes.pop(space, None)


def pairs_of(font):
    """The tables of pairs of glyphs that stand closer or farther apart."""
    if "GPOS" not in font or not font["GPOS"].table.LookupList:
        return
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            table = getattr(table, "ExtSubTable", table)
            if type(table).__name__ == "PairPos":
                yield table


def moved_spaces(font):
    """The pairs with a space that do stand closer or farther apart: none, once they are free."""
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
