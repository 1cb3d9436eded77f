let hasFailed = false;
/** The pending repair of style sheets, shared by concurrent calls. */
let sheetRepair: Promise<void> | undefined;
const loadedCode = new WeakSet<() => unknown>();

/** Code could not be fetched: no network, or a new release renamed it. */
export class CodeMissing extends Error {}

/**
 * Fetches code by an `import()` with its style sheets. Vite never retries a failed sheet, so these are fetched again first.
 * Loaded code needs no network: it is recognized by `load`, so pass the same function each time (`codeLoader`). Throws
 * `CodeMissing`.
 */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    if (hasFailed && !loadedCode.has(load))
      await (sheetRepair ??= fetchSheets().finally(() => (sheetRepair = undefined)));
    const code = await load();
    if (!loadedCode.has(load)) hasFailed = false;
    loadedCode.add(load);
    return code;
  } catch (cause) {
    hasFailed = true;
    throw new CodeMissing(String(cause), { cause });
  }
}

export const codeLoader =
  <T>(load: () => Promise<T>) =>
  (): Promise<T> =>
    fetchCode(load);

/** Whether the server responds: then missing code belongs to an older release. */
export const siteResponds = async (url: URL | string): Promise<boolean> =>
  fetch(url, { method: "HEAD" }).then(
    () => true,
    () => false,
  );

/** A sheet that failed is null, or in Chromium unreadable. */
function isMissing({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet?.cssRules;
  } catch {
    return true;
  }
}

/** Replaces the links of failed sheets, each after the new one has loaded: Vite finds only links in the page. */
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
      const isLoaded = await fetched;
      (isLoaded && isMissing(link) ? link : fresh).remove();
      if (!isLoaded) throw new Error(`${fresh.href} could not be fetched.`);
    }),
  );
}
