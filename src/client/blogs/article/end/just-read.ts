const KEPT = "just-read";
/** As many as the server takes (`ReadFurther`). */
const most = 30;

/** The blogs whose ends this tab came to before this one, the last first; this one is among them from now on. */
export function readBefore(id: string): string[] {
  try {
    const known = (JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[]).filter((one) => one !== id);
    sessionStorage.setItem(KEPT, JSON.stringify([id, ...known].slice(0, most)));
    return known.slice(0, most);
  } catch {
    // A browser that keeps nothing.
    return [];
  }
}
