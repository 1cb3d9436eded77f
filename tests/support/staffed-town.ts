import { startTown } from "./town.ts";

/** A town with staff: Boss, the first of a site, runs it, Mona moderates, and two others are called as it is said. */
export async function startStaffedTown({ anaAs = "Ana", benAs = "Ben" } = {}) {
  const town = await startTown();
  const [boss, mona, ana, ben] = [
    await town.resident("Boss"),
    await town.resident("Mona"),
    await town.resident(anaAs),
    await town.resident(benAs),
  ];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  return { town, boss, mona, ana, ben, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}
