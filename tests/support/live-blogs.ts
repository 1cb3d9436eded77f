import type { EntryOrder, ViewerEntry } from "../../src/shared/entries.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { Browser, SignedInBrowser } from "./browser.ts";
import { aBlog, paragraphs } from "./sample-content.ts";

interface Place {
  id: string;
}

/** Returns an entry as its form sends it. */
export const anEntry = ({ id }: Place, change: Record<string, unknown> = {}) => ({
  id: newId(),
  blogId: id,
  document: paragraphs("An owl calls."),
  ...change,
});

/** Publishes a blog that takes entries. */
export async function createLiveBlog(owner: SignedInBrowser, change: Record<string, unknown> = {}) {
  const blog = await owner.api.blogs.create.mutate(aBlog(change));
  await owner.api.blogs.setLive.mutate({ id: blog.id, live: true });
  return blog;
}

export const postEntry = (
  who: Pick<SignedInBrowser, "api">,
  blog: Place,
  change: Record<string, unknown> = {},
): Promise<ViewerEntry> => who.api.blogs.postEntry.mutate(anEntry(blog, change));

/** Makes a person an author of a blog. */
export async function addCoAuthor(owner: SignedInBrowser, { id }: Place, who: SignedInBrowser) {
  await owner.api.blogs.inviteAuthor.mutate({ id, username: who.me.username });
  await who.api.blogs.answerInvitation.mutate({ id, accept: true });
}

export const listEntries = ({ api }: Pick<Browser, "api">, { id }: Place, order: EntryOrder = "oldest") =>
  api.blogs.entries.query({ blogId: id, order });

/** Returns the pages of a blog's entries. */
export async function pagesOfEntries({ api }: Pick<Browser, "api">, { id }: Place, order: EntryOrder) {
  const pages = [await api.blogs.entries.query({ blogId: id, order })];
  for (let after = pages[0]!.more; after; after = pages.at(-1)!.more)
    pages.push(await api.blogs.entries.query({ blogId: id, order, after }));
  return pages;
}
