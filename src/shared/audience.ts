/** What decides who can read a blog, beside blocks and moderation. */
export interface Visibility {
  draft: boolean;
  private: boolean;
  authorPrivate: boolean;
}

export type Audience = "nobody" | "followers" | "everyone";

/** What a blog with these readers is called, on badges, in lists and next to switches. */
export const audienceLabels: Record<Audience, string> = {
  nobody: "Draft",
  followers: "Private",
  everyone: "Public",
};

export const audienceOf = ({ draft, private: isPrivate, authorPrivate }: Visibility): Audience =>
  draft ? "nobody" : isPrivate || authorPrivate ? "followers" : "everyone";

/**
 * Names a blog's readers, for the beginning of a sentence. `shared` is set for a blog with several authors; `owner` is the
 * owner's name, null for the viewer.
 */
export function readersText(audience: Audience, shared: { owner: string | null } | null = null): string {
  if (audience === "everyone") return "Everyone";
  if (audience === "nobody") return shared ? "Only its authors" : "Only you";
  // The name is isolated: it may be written from right to left.
  return shared?.owner ? `Only \u2068${shared.owner}\u2069’s followers` : "Only your followers";
}

export const willBeReadText = (audience: Audience, shared?: { owner: string | null } | null): string =>
  `${readersText(audience, shared)} will be able to read it as it is now.`;

/* For pages and the API. */

export const peoplePrivate =
  "This account is private. Who follows it sees its followers and whom it follows.";
export const followersHidden = "This user does not want to disclose followers and following.";
