/** Returns a hue in degrees, always the same for a name. */
export function hueOf(name: string): number {
  let hash = 2166136261;
  for (const letter of name.normalize("NFC").toLowerCase())
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619);
  return (hash >>> 0) % 360;
}

/** Returns the initials of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s_.-]+/u)
    .filter(Boolean);
  const first = words[0] ?? "?";
  const last = words.length > 1 ? words[words.length - 1]! : "";
  return (([...first][0] ?? "") + ([...last][0] ?? "")).toLocaleUpperCase("en");
}
