/** Returns the beginning of a text in one line of at most `length` characters, cut between words. */
export function shorten(source: string, length: number): string {
  const text = source.replace(/\s+/g, " ").trim();
  if (text.length <= length) return text;
  const room = text.slice(0, Math.max(0, length - 1));
  const space = text[room.length] === " " ? room.length : room.lastIndexOf(" ");
  // Without spaces (Chinese, Japanese, Thai) and in a very long word, it cuts after any character.
  const cut = space > room.length / 2 ? room.slice(0, space) : wholeCharacters(text, room.length);
  return `${cut.replace(/[\s\p{Pd},;:]+$/u, "")}…`;
}

// Keeps the code units of a flag or an accented letter together.
function wholeCharacters(text: string, length: number): string {
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(text.slice(0, length + 32))) {
    if (index + segment.length > length) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
