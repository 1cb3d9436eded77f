import { newId } from "../../../src/server/runtime/ids.ts";
import { anEntry } from "../live-blogs.ts";
import {
  canFetchPicture,
  includesId,
  receivesEvent,
  type Outcome,
  type Person,
  type TestBlog,
} from "./setup.ts";

/** What a draft refuses although the person may do it elsewhere: it takes no entries. */
const unlessOffAir = (error: { data?: { code?: string; field?: string } }) => {
  if (error.data?.code === "CONFLICT") return "b";
  throw error;
};

/** Each blog has an entry by its author. */
export const entryChecks: Record<string, (person: Person, place: TestBlog) => Outcome> = {
  "GET /media/{id}: in an entry": (person, { pictures: [, , picture] }) => canFetchPicture(person, picture),
  "blogs.entries": async (person, { id, entry }) =>
    includesId((await person.api.blogs.entries.query({ blogId: id, order: "oldest" })).entries, entry),
  "blogs.entryForEdit": async (person, { entry }) =>
    (await person.api.blogs.entryForEdit.query({ id: entry })).id === entry,
  "blogs.postEntry": async (person, blog) =>
    person.api.blogs.postEntry.mutate(anEntry(blog)).then(({ blogId }) => blogId === blog.id, unlessOffAir),
  "blogs.editEntry": async (person, { entry, author }) => {
    const { document } = await author.api.blogs.entryForEdit.query({ id: entry });
    return (await person.api.blogs.editEntry.mutate({ id: entry, title: newId(), document })).id === entry;
  },
  "blogs.withdrawEntry": async (person, { entry }) => {
    const { withdrawn } = await person.api.blogs.withdrawEntry.mutate({ id: entry, withdrawn: true });
    await person.api.blogs.withdrawEntry.mutate({ id: entry, withdrawn: false });
    return withdrawn;
  },
  "blogs.likeEntry": async (person, { entry }) =>
    (await person.api.blogs.likeEntry.mutate({ id: entry, liked: true })).liked,
  "blogs.setLive": async (person, { id }) =>
    (await person.api.blogs.setLive.mutate({ id, live: true })).live?.ended === null,
  "blogs.setSummary": async (person, { id }) =>
    (await person.api.blogs.setSummary.mutate({ id, summary: [newId()] })).summary.length === 1,
  "live.follow: its entries": (person, { id }) => receivesEvent(person, `blog:${id}`, "entry.posted"),
};
