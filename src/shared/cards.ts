/** A preview card (`og:image`). `of`: a blog's slug, `~` and the id of an entry, `@` and a username, or empty for the site. */
export interface CardWords {
  of: string;
  title: string;
  name: string;
  /** Shown if no font has the letters of the name. */
  username: string;
  picture: string | null;
}

export const cardSize = { width: 1_200, height: 630 } as const;

/** A picture as JPEG, for programs that show links and feed readers, some of which cannot read WebP. */
export const jpegPath = (id: string): string => `/media/${id}/preview.jpg`;

/** Returns the path and size of a picture's JPEG. */
export function jpegOf({ id, width, height }: { id: string; width: number; height: number }) {
  const jpegWidth = Math.min(width, cardSize.width);
  return {
    src: jpegPath(id),
    width: jpegWidth,
    height: Math.max(1, Math.round((height * jpegWidth) / width)),
  };
}
