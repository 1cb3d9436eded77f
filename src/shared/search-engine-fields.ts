/** Fields for search engines, in characters; readers' pages do not load them. */
export const searchEngineLimits = { canonicalUrl: 2_000, title: 300, description: 500 } as const;

/** Returns the normalized http or https URL; null if invalid or with credentials. */
export function normalizeWebUrl(value: string): string | null {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return null;
  const { href, username, password } = new URL(value);
  return username || password ? null : href;
}
