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
