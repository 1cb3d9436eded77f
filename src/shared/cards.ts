/** What stands on a drawn card (`og:image`), and whose it is: a blog's slug, `@` and a username, nothing for the site's own. */
export interface CardWords {
  of: string;
  title: string;
  name: string;
  /** For a name that no face has the letters of. */
  username: string;
  /** The path of a person's picture. */
  picture: string | null;
}

export const cardSize = { width: 1_200, height: 630 } as const;
