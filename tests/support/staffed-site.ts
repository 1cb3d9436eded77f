import { startTestSite } from "./test-site.ts";

/**
 * Starts a site with staff: Boss, the first account, is the administrator, Mona moderates, and the two others get these names.
 */
export async function startStaffedSite({ anaAs = "Ana", benAs = "Ben" } = {}) {
  const testSite = await startTestSite();
  const [boss, mona, ana, ben] = [
    await testSite.createAccount("Boss"),
    await testSite.createAccount("Mona"),
    await testSite.createAccount(anaAs),
    await testSite.createAccount(benAs),
  ];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  return {
    testSite,
    boss,
    mona,
    ana,
    ben,
    [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose](),
  };
}
