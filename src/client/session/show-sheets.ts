import { sheetsAt } from "./site-sheets.ts";

/** Applies the site's custom style sheets for this page. Removes the old ones once the new ones have loaded or failed. */
export function applySheets(sheets: readonly string[] = []): void {
  const old = [...document.querySelectorAll("link[data-site]")];
  const wanted = sheetsAt(sheets, location);
  if (wanted.join() === old.map((link) => link.getAttribute("href")).join()) return;
  const links = wanted.map((href) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.dataset.site = "";
    document.head.append(link);
    return link;
  });
  const settled = (link: HTMLLinkElement) =>
    new Promise((resolve) => {
      link.addEventListener("load", resolve, { once: true });
      link.addEventListener("error", resolve, { once: true });
    });
  void Promise.all(links.map(settled)).then(() => old.forEach((link) => link.remove()));
}
