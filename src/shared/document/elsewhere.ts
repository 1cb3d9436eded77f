/** What stands in the place of a picture that is not on this site yet, which pages do not load; null for the site's own. */
export function saidOfElsewhere(src: string, origin: string): string | null {
  const isElsewhere = /^https?:/i.test(src) && !src.startsWith(`${origin}/`);
  return isElsewhere ? `Picture from ${new URL(src).hostname}: a copy will be made here` : null;
}
