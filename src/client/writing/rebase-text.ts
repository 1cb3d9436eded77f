/** `from` to `to` were replaced by what is now at `from` to `end`. */
interface Change {
  from: number;
  to: number;
  end: number;
}

/** Returns the shortest change that leads from one list of characters to another. */
export function changeBetween(before: ArrayLike<string>, after: ArrayLike<string>): Change {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let to = before.length;
  let end = after.length;
  while (Math.min(to, end) > from && before[to - 1] === after[end - 1]) {
    to--;
    end--;
  }
  return { from, to, end };
}

/**
 * Applies the change from `base` to `own` to the text that another page made of `base`. Insertions of both stay, the own one
 * first at the same place. The own one ends where the text has `max` characters.
 */
export function rebaseText(base: string, own: string, other: string, max: number): string {
  if (own === other) return other;
  // By code points: a half of a character is none.
  const [before, mine, theirs] = [[...base], [...own], [...other]];
  const change = changeBetween(before, mine);
  const theirChange = changeBetween(before, theirs);
  const shift = theirs.length - before.length;
  let start = theirs.slice(0, change.from);
  let end = theirs.slice(change.to);
  if (change.to > theirChange.from) {
    if (change.from >= theirChange.to) {
      start = theirs.slice(0, change.from + shift);
      end = theirs.slice(change.to + shift);
    } else {
      start = before.slice(0, Math.min(change.from, theirChange.from));
      end = [
        ...theirs.slice(theirChange.from, theirChange.end),
        ...before.slice(Math.max(change.to, theirChange.to)),
      ];
    }
  }
  const room = Math.max(0, max - start.length - end.length);
  return [...start, ...mine.slice(change.from, change.end).slice(0, room), ...end].join("");
}
