import { sheetsAt } from "./site-sheets.ts";

/** Has the page drawn by those of the site's own style sheets that are for it, and no other. The old ones go once the new ones are there. */
export function show(sheets: readonly string[] = []): void {
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
