/** Characters of a heading used; normalized, one may become eighteen. */
const longest = 200;

/**
 * Returns a function that gives each heading a unique `id`, prefixed with `h-` so that none clashes with an element or a global
 * of the page.
 */
export function headingIds(): (text: string) => string {
  const uses = new Map<string, number>();
  return (text) => {
    const words =
      text
        .slice(0, longest)
        .normalize("NFKC")
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const slug = `h-${[...words.join("-")].slice(0, 60).join("").replace(/-+$/, "") || "heading"}`;
    let id = slug;
    let use = uses.get(slug) ?? 0;
    while (uses.has(id)) id = `${slug}-${++use + 1}`;
    uses.set(slug, use);
    uses.set(id, uses.get(id) ?? 0);
    return id;
  };
}
