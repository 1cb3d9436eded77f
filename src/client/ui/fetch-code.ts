let hasFailed = false;
/** What all wait for who find sheets missing at once. */
let mending: Promise<void> | undefined;
const known = new WeakSet<() => unknown>();

/** Code could not be fetched: there is no network, or a new release has renamed it. */
export class CodeMissing extends Error {}

/**
 * Fetches code by an `import()`, with the style sheets that belong to it. Vite takes a sheet that could not be fetched once
 * for fetched ever after, and its part would stand there bare: so those are fetched again first. Code that is here needs no
 * network: it is recognized by `load`, so pass the same function each time (`codeLoader`). Throws `CodeMissing`.
 */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    if (hasFailed && !known.has(load)) await (mending ??= fetchSheets().finally(() => (mending = undefined)));
    const code = await load();
    if (!known.has(load)) hasFailed = false;
    known.add(load);
    return code;
  } catch (cause) {
    hasFailed = true;
    throw new CodeMissing(String(cause), { cause });
  }
}

/** Returns a function that fetches this code by `fetchCode`. */
export const codeLoader =
  <T>(load: () => Promise<T>) =>
  (): Promise<T> =>
    fetchCode(load);

/** Whether the server answers at all: code that it does not have then belongs to an older release. */
export const answers = async (url: URL | string): Promise<boolean> =>
  fetch(url, { method: "HEAD" }).then(
    () => true,
    () => false,
  );

/** Chromium gives a link whose sheet could not be fetched one that nobody may look into; other browsers give it none. */
function isMissing({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet?.cssRules;
  } catch {
    return true;
  }
}

/** Puts a fresh link in the place of each whose sheet is missing: once that is here, as who waits for the old one hears of it in the page alone. */
async function fetchSheets(): Promise<void> {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(isMissing);
  await Promise.all(
    missing.map(async (link) => {
      const fresh = link.cloneNode() as HTMLLinkElement;
      const fetched = new Promise<boolean>((resolve) => {
        fresh.addEventListener("load", () => resolve(true));
        fresh.addEventListener("error", () => resolve(false));
      });
      link.after(fresh);
      const isHere = await fetched;
      (isHere && isMissing(link) ? link : fresh).remove();
      if (!isHere) throw new Error(`${fresh.href} could not be fetched.`);
    }),
  );
}
