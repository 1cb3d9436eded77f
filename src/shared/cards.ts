/** A preview card (`og:image`). `of`: a blog's slug, `@` and a username, or empty for the site. */
export interface CardWords {
  of: string;
  title: string;
  name: string;
  /** Shown if no font has the letters of the name. */
  username: string;
  picture: string | null;
}

export const cardSize = { width: 1_200, height: 630 } as const;
