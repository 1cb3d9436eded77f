const STORAGE_KEY = "just-read";
/** The limit of `ReadFurther`. */
const maxRemembered = 30;

/** Records that this tab reached a blog's end; returns those reached before, newest first. */
export function recordRead(id: string): string[] {
  try {
    const known = (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as string[]).filter(
      (one) => one !== id,
    );
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([id, ...known].slice(0, maxRemembered)));
    return known.slice(0, maxRemembered);
  } catch {
    // Storage is not available.
    return [];
  }
}
