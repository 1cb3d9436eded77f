/** A hue for a name, in degrees: the same name always has the same. */
export function hueOf(name: string): number {
  let hash = 2166136261;
  for (const letter of name.normalize("NFC").toLowerCase())
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619);
  return (hash >>> 0) % 360;
}

/** One or two letters that stand for a name: of its first and its last word. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s_.-]+/u)
    .filter(Boolean);
  const first = words[0] ?? "?";
  const last = words.length > 1 ? words[words.length - 1]! : "";
  return (([...first][0] ?? "") + ([...last][0] ?? "")).toLocaleUpperCase("en");
}
