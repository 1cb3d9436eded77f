import { RateLimits } from "../auth/rate-limits.ts";
import type { MemberContext, Services } from "../context.ts";
import { EmbedCards } from "../text/embed-cards.ts";
import { RemoteImages } from "../media/remote-images.ts";

const noLimits = new RateLimits(false);

/** Acts as a person for work they requested earlier, without rate limits. */
export const actingAs = (services: Services, id: string): MemberContext => ({
  ...services,
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
 * Imports as a person without rate limits. Uploads are bound by the storage quota and new-account limits, the command line by
 * nothing. Remote images need `fetch`.
 */
export const importingAs = (
  services: Services,
  id: string,
  { isLocal, fetch }: { isLocal: boolean; fetch: boolean },
): MemberContext => ({
  ...actingAs(services, id),
  remoteImages: fetch ? services.remoteImages : new RemoteImages(false),
  cards: fetch ? services.cards : new EmbedCards(false),
  transport: isLocal ? "local" : "http",
  importing: true,
});
