/** Returns the text shown instead of a remote picture, which pages do not load; null for the site's own. */
export function remotePictureLabel(src: string, origin: string): string | null {
  const isElsewhere = /^https?:/i.test(src) && !src.startsWith(`${origin}/`);
  return isElsewhere ? `Picture from ${new URL(src).hostname}: a copy will be made here` : null;
}
