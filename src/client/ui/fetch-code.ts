let hasFailed = false;
const known = new WeakSet<() => unknown>();

/**
 * Fetches code by an `import()`, with the style sheets that belong to it. Vite takes a sheet that could not be fetched once
 * for fetched ever after, and its part would stand there bare: so those are fetched again first. What is here needs no network.
 */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    if (hasFailed && !known.has(load)) await fetchSheets();
    const code = await load();
    if (!known.has(load)) hasFailed = false;
    known.add(load);
    return code;
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}

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

/** Puts a fresh link in the place of each whose sheet is missing. */
async function fetchSheets(): Promise<void> {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(isMissing);
  await Promise.all(
    missing.map((link) => {
      const fresh = link.cloneNode() as HTMLLinkElement;
      const fetched = new Promise((resolve, reject) => {
        fresh.addEventListener("load", resolve);
        fresh.addEventListener("error", () => reject(new Error(`${link.href} could not be fetched.`)));
      });
      link.replaceWith(fresh);
      return fetched;
    }),
  );
}
