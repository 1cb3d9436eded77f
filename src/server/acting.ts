import { RateLimits } from "./auth/limits.ts";
import type { MemberContext, Parts } from "./context.ts";
import { EmbedCards } from "./blogs/embed-cards.ts";
import { ForeignPictures } from "./media/foreign.ts";

const noLimits = new RateLimits(false);

/** Somebody for whom the site does something that they have asked for before: no limit of what one does at a stretch bounds it. */
export const actingAs = (parts: Parts, id: string): MemberContext => ({
  ...parts,
  limits: noLimits,
  viewer: { id, isAdmin: false },
  session: null,
  browser: null,
  address: "local",
  userAgent: "",
  transport: "http",
  costly: null,
  setCookie: () => undefined,
});

/**
 * Somebody whose texts come in: at the command line nothing bounds them; by an upload what an account may store does, and what
 * its first day may link to, but no limit of what one does at a stretch. Pictures are fetched where that is asked for.
 */
export const importingAs = (
  parts: Parts,
  id: string,
  { isLocal, fetch }: { isLocal: boolean; fetch: boolean },
): MemberContext => ({
  ...actingAs(parts, id),
  foreign: fetch ? parts.foreign : new ForeignPictures(false),
  cards: fetch ? parts.cards : new EmbedCards(false),
  transport: isLocal ? "local" : "http",
  importing: true,
});
