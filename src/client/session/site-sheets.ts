/**
 * Returns a page's custom style sheets. Under /admin and with `?plain`, those written by administrators are left out, so that
 * one that hides everything can be removed.
 */
export const sheetsAt = (
  sheets: readonly string[],
  { pathname, search }: { pathname: string; search: string },
): string[] =>
  /^\/admin\b/.test(pathname) || /[?&]plain\b/.test(search)
    ? sheets.filter((sheet) => !sheet.includes("/sheet-"))
    : [...sheets];

/** Applies the site's custom style sheets for this page. Removes the old ones once the new ones have loaded or failed. */
export function applySheets(sheets: readonly string[] = []): void {
  const oldLinks = [...document.querySelectorAll("link[data-site]")];
  const hrefs = sheetsAt(sheets, location);
  if (hrefs.join() === oldLinks.map((link) => link.getAttribute("href")).join()) return;
  const links = hrefs.map((href) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.dataset.site = "";
    document.head.append(link);
    return link;
  });
  const loaded = (link: HTMLLinkElement) =>
    new Promise((resolve) => {
      link.addEventListener("load", resolve, { once: true });
      link.addEventListener("error", resolve, { once: true });
    });
  void Promise.all(links.map(loaded)).then(() => oldLinks.forEach((link) => link.remove()));
}
