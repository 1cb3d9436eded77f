/** The reader's choice; `system` follows the device and has no cookie. */
export type Theme = "light" | "dark" | "system";

const YEAR = 365 * 24 * 60 * 60;

export const themeNamed = (name: string | undefined): Theme =>
  name === "light" || name === "dark" ? name : "system";

export function currentTheme(): Theme {
  return (document.documentElement.dataset.theme as Theme | undefined) ?? "system";
}

/** Applies the theme and stores it in a cookie, so that the server renders the next page in it without a flash. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; samesite=lax; max-age=${theme === "system" ? 0 : YEAR}`;
  dispatchEvent(new Event("themechange"));
}
