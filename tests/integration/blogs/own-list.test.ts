import { expect, test } from "vitest";
import type { SignedInBrowser } from "../../support/browser.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog } from "../../support/test-site.ts";

/* The list of one's own blogs, by kind, order and words of the title. */

type ListInput = Parameters<SignedInBrowser["api"]["blogs"]["mine"]["query"]>[0];
const titles = async (input: ListInput, who = ana) =>
  (await who.api.blogs.mine.query(input)).blogs.map(({ title }) => title);

const [, ana, ben] = await sharedSiteWith("Ana", "Ben");
const at = new Date(Date.now() + 86_400_000).toISOString();
const write = (title: string, more: object = {}) => ana.api.blogs.create.mutate(aBlog({ title, ...more }));
await write("Owls");
await write("Über Eulen");
await write("For followers", { private: true });
await write("Half an owl", { draft: true });
await write("Owls tomorrow", { draft: true, schedule: { at, zone: "Europe/Berlin" } });
// A blog of Ben's that Ana writes with him.
const shared = aBlog({ title: "Owls of two", draft: true });
await ben.api.blogs.create.mutate(shared);
await ben.api.blogs.inviteAuthor.mutate({ id: shared.id, username: ana.me.username });
await ana.api.blogs.answerInvitation.mutate({ id: shared.id, accept: true });
await ben.api.blogs.create.mutate(aBlog({ title: "Owls of Ben alone" }));

test("lists each blog among all and in its kind, also those written with others", async () => {
  const kinds = {
    published: ["Owls", "Über Eulen"],
    scheduled: ["Owls tomorrow"],
    drafts: ["Half an owl", "Owls of two"],
    private: ["For followers"],
  };
  for (const [show, expected] of Object.entries(kinds))
    expect((await titles({ show: show as "drafts" })).toSorted()).toEqual(expected);
  expect((await titles({})).toSorted()).toEqual(Object.values(kinds).flat().toSorted());
  expect(await titles({ show: "drafts" }, ben)).toEqual(["Owls of two"]);
});

test("lists the oldest first on request, over pages too", async () => {
  const latest = await titles({});
  expect(await titles({ sort: "oldest" })).toEqual(latest.toReversed());
  for (let count = 0; count < 6; count++)
    await ben.api.blogs.create.mutate(aBlog({ title: `Rook ${count}` }));
  const [first, second] = [
    await ben.api.blogs.mine.query({ sort: "oldest", words: "rook" }),
    await ben.api.blogs.mine.query({ sort: "oldest", page: 2 }),
  ];
  expect(first.blogs.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4, 5].map((count) => `Rook ${count}`));
  expect([first.hasMore, second.hasMore]).toEqual([false, false]);
  expect(second.blogs.map(({ title }) => title)).toEqual(["Rook 4", "Rook 5"]);
});

test("finds words anywhere in a title, in any case, and takes no wildcards", async () => {
  expect((await titles({ words: "OWL" })).toSorted()).toEqual([
    "Half an owl",
    "Owls",
    "Owls of two",
    "Owls tomorrow",
  ]);
  expect(await titles({ words: "über" })).toEqual(["Über Eulen"]);
  expect(await titles({ words: "owls", show: "published" })).toEqual(["Owls"]);
  for (const words of ["%", "_wls", "!", "' or 1 = 1 --"]) expect(await titles({ words })).toEqual([]);
});
