/** Bounds of what a blog says to search engines alone, in characters; the reader's page knows none of them. */
export const searchLimits = { canonicalUrl: 2_000, title: 300, description: 500 } as const;

/** An address of the web as it is written down: http or https and a host, no name and password within. Null where it is none. */
export function webAddress(value: string): string | null {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return null;
  const { href, username, password } = new URL(value);
  return username || password ? null : href;
}
