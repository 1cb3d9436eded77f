import { siteWith } from "./site-with.ts";

/**
 * Starts a site with staff: Boss, the first account, is the administrator, Mona moderates, and the two others get these names.
 */
export async function startStaffedSite({ anaAs = "Ana", benAs = "Ben" } = {}) {
  const [testSite, boss, mona, ana, ben] = await siteWith("Boss", "Mona", anaAs, benAs);
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  return { testSite, boss, mona, ana, ben };
}
