import { newId } from "../../../src/server/runtime/ids.ts";
import { anEntry } from "../live-blogs.ts";
import {
  canFetchPicture,
  includesId,
  inFeed,
  isTextShown,
  receivesEvent,
  Refused,
  rest,
  textAt,
  type Outcome,
  type Person,
  type TestBlog,
} from "./setup.ts";

/** What a draft refuses although the person may do it elsewhere: it takes no entries. */
const unlessOffAir = (error: { data?: { code?: string; field?: string } }) => {
  if (error.data?.code === "CONFLICT") return "b";
  throw error;
};

const unlessOffAirOverRest = (error: unknown) => {
  if (error instanceof Refused && error.status === 409) return "b";
  throw error;
};

/** Each blog has an entry by its author. */
export const entryChecks: Record<string, (person: Person, place: TestBlog) => Outcome> = {
  "GET /media/{id}: in an entry": (person, { pictures: [, , picture] }) => canFetchPicture(person, picture),
  "blogs.entries": async (person, { id, entry }) =>
    includesId((await person.api.blogs.entries.query({ blogId: id, order: "oldest" })).entries, entry),
  "blogs.entry": async (person, { id, entry }) =>
    (await person.api.blogs.entry.query({ blogId: id, id: entry })).entry?.id === entry,
  "blogs.liveNow": async (person, { id }) => includesId((await person.api.blogs.liveNow.query()).blogs, id),
  "blogs.ownLive": async (person, { id }) => includesId((await person.api.blogs.ownLive.query()).blogs, id),
  "comments.replying: an entry": async (person, { id }) =>
    (await person.api.comments.replying.mutate({ blogId: id, what: "entry" })).told,
  "/blog/:slug/:entry": (person, { slug, entry }) =>
    isTextShown(person, `/blog/${slug}/${entry}`, "An owl calls."),
  "/blog/:slug/feed.xml": inFeed(({ slug }) => `/blog/${slug}/{file}`),
  "/blog/:slug/embed": async (person, { id, slug, author }) => {
    await author.api.blogs.setEmbeddable.mutate({ id, embeddable: true });
    const answer = await person.browser.fetch(`/blog/${slug}/embed`);
    if (answer.status !== 200) throw new Refused(answer.status, slug);
    return (await answer.text()).includes("An owl calls.");
  },
  "/cards/:name: of an entry": async (person, { entry }) => {
    const oldCard = await person.browser.fetch(`/cards/~${entry}-${"0".repeat(16)}.png`);
    if (oldCard.status !== 302) throw new Refused(oldCard.status, entry);
    return (await textAt(person, oldCard.headers.get("location") ?? "")).includes("PNG");
  },
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
  "blogs.setEmbeddable": async (person, { id }) =>
    (await person.api.blogs.setEmbeddable.mutate({ id, embeddable: true })).embeddable,
  "GET /blogs/{blogId}/entries": async (person, { slug, entry }) =>
    includesId((await rest(person, "GET", `/blogs/${slug}/entries?order=oldest`)).entries, entry),
  "POST /blogs/{blogId}/entries": async (person, { slug }) =>
    rest(person, "POST", `/blogs/${slug}/entries`, { title: newId() }).then(
      ({ entry }) => entry.headline !== "",
      unlessOffAirOverRest,
    ),
  "PATCH /entries/{entryId}": async (person, { entry }) =>
    (await rest(person, "PATCH", `/entries/${entry}`, { title: newId() })).entry._id === entry,
  "DELETE /entries/{entryId}": async (person, { entry, author }) => {
    const { message } = await rest(person, "DELETE", `/entries/${entry}`);
    await author.api.blogs.withdrawEntry.mutate({ id: entry, withdrawn: false });
    return message !== "";
  },
  "PATCH /blogs/{blogId}/live": async (person, { slug }) =>
    (await rest(person, "PATCH", `/blogs/${slug}/live`, { summary: [newId()] })).live.summary.length === 1,
  "live.follow: its entries": (person, { id }) => receivesEvent(person, `blog:${id}`, "entry.posted"),
};
