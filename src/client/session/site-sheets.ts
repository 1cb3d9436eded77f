/**
 * Which of the site's own style sheets a page has. Where administrators work, and at any address with `?plain`, there is none
 * of those that they wrote: one that hides everything can be taken back there.
 */
export const sheetsAt = (
  sheets: readonly string[],
  { pathname, search }: { pathname: string; search: string },
): string[] =>
  /^\/admin\b/.test(pathname) || /[?&]plain\b/.test(search)
    ? sheets.filter((sheet) => !sheet.includes("/sheet-"))
    : [...sheets];
