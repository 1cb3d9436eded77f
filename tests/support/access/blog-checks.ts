import { newId } from "../../../src/server/runtime/ids.ts";
import { ApiClient } from "../api-client.ts";
import { aComment, followTopics, until } from "../test-site.ts";
import { aCommit } from "../sample-content.ts";
import {
  Refused,
  type Author,
  type Person,
  type TestBlog,
  peopleByCoAuthorRole,
  setCoAuthorRole,
  commenterWithoutFollow,
  testSite,
  reader,
  authorOf,
  type Outcome,
  reports,
  rest,
  shows,
  has,
  link,
  inTab,
  inProfile,
  inFeed,
  ownComment,
  editComment,
  removeComment,
  removableBlogId,
  firstCursor,
  receivesEvent,
  insertPendingComment,
  followFeed,
  followBySse,
  pollEvents,
  hasReplyNotification,
  canFetchPicture,
} from "./setup.ts";
import { toggleTwice } from "./account-checks.ts";

/** Returns the text at an address that is public or absent for everyone. */
async function textAt(who: Person, path: string): Promise<string> {
  const answer = await who.browser.fetch(path);
  if (answer.status !== 200) throw new Refused(answer.status, path);
  return answer.text();
}

export const blogChecks: Record<string, (who: Person, place: TestBlog) => Outcome> = {
  "GET /media/{id}: its cover": (who, { pictures: [cover] }) => canFetchPicture(who, cover),
  "GET /media/{id}: in its text": (who, { pictures: [, picture] }) => canFetchPicture(who, picture),
  "blogs.bySlug": async (who, { slug }) => (await who.api.blogs.bySlug.query({ slug })).html.includes("Owls"),
  "blogs.card": async (who, { id }) => (await who.api.blogs.card.query({ id })).id === id,
  "blogs.further": async (who, { id, author }) =>
    (await who.api.blogs.further.query({ id })).authors[0]?.id === author.id,
  "blogs.readable": async (who, { slug }) =>
    (await who.api.blogs.readable.query({ slugs: [slug] })).slugs.length === 1,
  "blogs.linked": async (who, { slug }) =>
    (await who.api.blogs.linked.query({ slugs: [slug] })).blogs.length === 1,
  "blogs.list": async (who, { id }) => has((await who.api.blogs.list.query({})).blogs, id),
  "blogs.list: most liked": async (who, { id }) =>
    has((await who.api.blogs.list.query({ sort: "likes" })).blogs, id),
  "blogs.byTag": async (who, { id }) => has((await who.api.blogs.byTag.query({ tag: "night" })).blogs, id),
  "blogs.byTag: most liked": async (who, { id }) =>
    has((await who.api.blogs.byTag.query({ tag: "night", sort: "likes" })).blogs, id),
  "blogs.search": async (who, { id, word }) =>
    has((await who.api.blogs.search.query({ query: word })).blogs, id),
  "blogs.following": async (who, { id }) => has((await who.api.blogs.following.query({})).blogs, id),
  "blogs.showcase": async (who, { id }) => has((await who.api.blogs.showcase.query()).blogs, id),
  "blogs.recommended": async (who, { id }) => has((await who.api.blogs.recommended.query()).blogs, id),
  "blogs.byAuthor": inTab("blogs"),
  "blogs.byAuthor: private": inTab("private-blogs"),
  "blogs.byAuthor: drafts": inTab("draft-blogs"),
  "blogs.byAuthor: liked": inTab("liked-blogs"),
  "blogs.byAuthor: saved": inTab("saved-blogs"),
  "blogs.mine": async (who, { id }) => has((await who.api.blogs.mine.query({})).blogs, id),
  "blogs.forEdit": async (who, { slug }) => (await who.api.blogs.forEdit.query({ slug })).version > 0,
  "blogs.revisions": async (who, { id }) =>
    (await who.api.blogs.revisions.query({ id })).revisions.length > 0,
  "blogs.revision": async (who, { id, author }) => {
    const [newest] = (await author.api.blogs.revisions.query({ id })).revisions;
    return (await who.api.blogs.revision.query({ id, revision: newest!.id })).document !== undefined;
  },
  "blogs.deleteRevision": async (who, { id, author }) => {
    for (const description of [newId(), newId()]) await author.api.blogs.update.mutate({ id, description });
    const [, older] = (await author.api.blogs.revisions.query({ id })).revisions;
    return (await who.api.blogs.deleteRevision.mutate({ id, revision: older!.id })).message !== "";
  },
  "blogs.setCommenters": async (who, { id }) =>
    (await who.api.blogs.setCommenters.mutate({ id, commentsFrom: "everyone" })).commentsFrom === "everyone",
  "blogs.update": async (who, { id }) =>
    (await who.api.blogs.update.mutate({ id, description: newId() })).id === id,
  "blogs.begin": async (who, { id }) => (await who.api.blogs.begin.mutate({ id })) !== null,
  "blogs.openWriting": async (who, { id }) => (await who.api.blogs.openWriting.mutate({ id })).id === id,
  "blogs.here": async (who, { id }) =>
    (await who.api.blogs.here.mutate({ id, client: newId(), seq: 1, anchor: 1, head: 1 })).id === id,
  "blogs.preview": async (who, { id }) =>
    (await who.api.blogs.preview.query({ id })).blog.html.includes("Owls"),
  "blogs.commitsSince": async (who, { id }) =>
    (await who.api.blogs.commitsSince.query({ id, epoch: "another", seq: 1 })).commits === null,
  "blogs.pushCommit": async (who, { id }) =>
    (await who.api.blogs.pushCommit.mutate({ ...aCommit(id), epoch: "another" })).kind === "lost",
  "blogs.setLive": async (who, { id }) => !(await who.api.blogs.setLive.mutate({ id, live: false })).live,
  "blogs.discardWriting": async (who, { id }) => (await who.api.blogs.discardWriting.mutate({ id })) !== null,
  "blogs.publishWriting": async (who, { id, author }) => {
    const { draft } = await author.api.blogs.card.query({ id });
    await author.api.blogs.openWriting.mutate({ id });
    return (await who.api.blogs.publishWriting.mutate({ id, draft })).id === id;
  },
  "blogs.authors": async (who, { id }) => (await who.api.blogs.authors.query({ id })).id === id,
  "blogs.inviteAuthor": async (who, { id }) => {
    const { username, id: userId } = commenterWithoutFollow as Author;
    const { message } = await who.api.blogs.inviteAuthor.mutate({ id, username });
    await who.api.blogs.removeAuthor.mutate({ id, userId });
    return message.endsWith("is invited.");
  },
  "blogs.answerInvitation": async (who, place) => {
    await who.api.blogs.answerInvitation.mutate({ id: place.id, accept: true });
    // Restores the state before.
    await who.api.blogs.removeAuthor.mutate({ id: place.id, userId: who.id! });
    await setCoAuthorRole(
      place,
      who as Author,
      who === peopleByCoAuthorRole.coAuthor ? "coAuthor" : "invited",
    );
    return true;
  },
  "blogs.removeAuthor": async (who, { id }) =>
    (await who.api.blogs.removeAuthor.mutate({ id, userId: newId() })).message !== "",
  "blogs.removeAuthor: oneself": async (who, place) => {
    await who.api.blogs.removeAuthor.mutate({ id: place.id, userId: who.id! });
    await setCoAuthorRole(place, who as Author, "coAuthor");
    return true;
  },
  "live.follow: what is written": async (who, place) => {
    const { api } = place.author;
    const heard = followTopics(who.browser, [`writing:${place.id}`], await firstCursor());
    await heard.live();
    if (heard.events("accessLost").length > 0) return (heard.stop(), false);
    const { epoch } = await api.blogs.openWriting.mutate({ id: place.id });
    await api.blogs.pushCommit.mutate({ ...aCommit(place.id), epoch });
    await heard.heard("writing.committed");
    heard.stop();
    return true;
  },
  "live.follow: writing there": async (who, { id }) => {
    const heard = followTopics(who.browser, [`writing:${id}`, `here:${id}:${newId()}`]);
    await heard.live();
    if (heard.events("accessLost").length > 0) return (heard.stop(), false);
    await until(
      () => heard.events("writers").some(({ writers }) => writers.length > 0),
      "being told of itself",
    );
    heard.stop();
    return true;
  },
  "blogs.remove": async (who, place) =>
    (await who.api.blogs.remove.mutate({ id: await removableBlogId(who, place) })).message !== "",
  "live.follow: the open blog": (who, { id }) => receivesEvent(who, `blog:${id}`, "comment.created"),
  "live.follow: its card": (who, { id }) => receivesEvent(who, `card:${id}`, "blog.counted"),
  "live.follow: its address": (who, { slug }) => receivesEvent(who, `address:${slug}`, "accessRestored"),
  "live.follow: server-sent events": followBySse,
  "live.since": pollEvents,
  "live.follow: who is at it": (who, { id }) => receivesEvent(who, `presence:${id}`, "presence"),
  "live.follow: being at it": async (who, { id }) => {
    const heard = followTopics(who.browser, [`reading:${id}:${newId()}`]);
    await heard.live();
    heard.stop();
    return heard.events("accessLost").length === 0;
  },
  "live.follow: the feed": followFeed,
  "live.follow: what is liked": async (who, { id }) => {
    const heard = followTopics(who.browser, ["likes"], await firstCursor());
    await heard.live();
    heard.stop();
    return heard.events("blog.ranked").some(({ blogId }) => blogId === id);
  },
  "comments.list": async (who, { id, reader: said }) =>
    has((await who.api.comments.list.query({ blogId: id, including: said[0]! })).comments, said[0]!),
  "comments.replies": async (who, { id, reader: said }) =>
    (await who.api.comments.replies.query({ blogId: id, rootId: said[0]! })).cursor !== "",
  "comments.countReplies": async (who, { reader: said }) =>
    (await who.api.comments.countReplies.query({ id: said[0]! })).repliesCount >= 0,
  "comments.create": async (who, place) =>
    (await who.api.comments.create.mutate(aComment(place))).blogId === place.id,
  "comments.create: a reply": async (who, place) =>
    (await who.api.comments.create.mutate(aComment(place, { parentId: place.reader[0]! }))).parentId ===
    place.reader[0],
  "comments.replying: it is told": async (who, { id }) =>
    (await who.api.comments.replying.mutate({ blogId: id })).told,
  "moderation.report: the blog": (who, { id }) => reports(who, { kind: "blog", id }),
  "moderation.report: a comment": (who, { reader: [, , id = ""] }) => reports(who, { kind: "comment", id }),
  "comments.edit: one's own": (who, place) => editComment(who, ownComment(who, place, 0)),
  "comments.edit: the author's": (who, place) => editComment(who, ownComment(place.author, place, 0)),
  "comments.edit: a reader's": (who, place) => editComment(who, place.reader[0]!),
  "comments.remove: one's own": (who, place) => removeComment(who, ownComment(who, place, 1)),
  "comments.remove: the author's": (who, place) => removeComment(who, ownComment(place.author, place, 0)),
  "comments.remove: a reader's": async (who, place) => {
    const outcome = await removeComment(who, place.reader[1]!);
    // After the author's removal another comment is created for the roles that follow and can see it.
    const isOpen = place.author === authorOf("public") && !place.flags.private && !place.flags.draft;
    if (who === place.author && isOpen)
      place.reader[1] = (await reader.api.comments.create.mutate(aComment({ id: place.id }))).id;
    return outcome;
  },
  "comments.like": async (who, { reader: said }) =>
    (await who.api.comments.like.mutate({ id: said[0]!, liked: true })).liked,
  "comments.mark": async (who, { reader: said }) =>
    (await who.api.comments.mark.mutate({ id: said[0]!, mark: "pinned" })).mark === "pinned",
  "comments.approve": async (who, place) =>
    (await who.api.comments.approve.mutate({ id: await insertPendingComment(place) })).message !== "",
  "comments.remove: one that waits": async (who, place) =>
    (await who.api.comments.remove.mutate({ id: await insertPendingComment(place) })).message !== "",
  "social.likeBlog": async (who, { id, author }) => {
    const { liked } = await who.api.social.likeBlog.mutate({ blogId: id, liked: true });
    // Liked and saved blogs are no longer recommended.
    if (who !== author) await who.api.social.likeBlog.mutate({ blogId: id, liked: false });
    return liked;
  },
  "social.subscription": async (who, { id }) =>
    (await who.api.social.subscription.query({ blogId: id })).level === null,
  "social.place": async (who, { id }) => (await who.api.social.place.query({ blogId: id })).place === null,
  "social.keepPlace": async (who, { id }) => {
    const place = { block: 3, words: 7, part: 0 };
    const { kept } = await who.api.social.keepPlace.mutate({ blogId: id, place });
    await who.api.social.keepPlace.mutate({ blogId: id, place: null });
    return kept;
  },
  "social.setSubscription": async (who, { id }) => {
    const { level } = await who.api.social.setSubscription.mutate({ blogId: id, level: "mute" });
    await who.api.social.setSubscription.mutate({ blogId: id, level: null });
    return level === "mute";
  },
  "social.saveBlog": async (who, { id, author }) => {
    const { saved } = await who.api.social.saveBlog.mutate({ blogId: id, saved: true });
    if (who !== author) await who.api.social.saveBlog.mutate({ blogId: id, saved: false });
    return saved;
  },
  "social.notifications: of a reply there": hasReplyNotification,

  "GET /blogs": async (who, { id }) => has((await rest(who, "GET", "/blogs?limit=50")).blogs, id),
  "GET /blogs: most liked": async (who, { id }) =>
    has((await rest(who, "GET", "/blogs?limit=50&sort=likes")).blogs, id),
  "GET /search-blogs": async (who, { id, word }) =>
    has((await rest(who, "GET", `/search-blogs?search=${word}`)).blogs, id),
  "GET /recommended": async (who, { id }) => has((await rest(who, "GET", "/recommended")).blogs, id),
  "GET /blogs/{blogId}": async (who, { slug }) =>
    (await rest(who, "GET", `/blogs/${slug}`)).blog.content.includes("Owls"),
  "GET /blogs/{blogId}: by its id": async (who, { id }) =>
    (await rest(who, "GET", `/blogs/${id}`)).blog._id === id,
  "GET /blogs/{blogId}: by cookie": async (who, { slug, id }) =>
    (
      await rest({ ...who, rest: new ApiClient(testSite) }, "GET", `/blogs/${slug}`, undefined, {
        cookie: who.browser.cookie,
      })
    ).blog._id === id,
  "GET /blogs/{blogId}: signed out": async (who, { slug, id }) =>
    (
      await rest({ ...who, rest: new ApiClient(testSite, "null") }, "GET", `/blogs/${slug}`, undefined, {
        cookie: who.browser.cookie,
      })
    ).blog._id === id,
  "GET /blogs/user/{userId}": async (who, { id, author }) =>
    has((await rest(who, "GET", `/blogs/user/${author.id}`)).blogs, id),
  "GET /users/{username}: blogs": inProfile("blogs"),
  "GET /users/{username}: liked": inProfile("likeBlogs"),
  "GET /users/{username}: saved": inProfile("saveBlogs"),
  "PATCH /blogs/{blogId}": async (who, { slug, id }) => {
    const form = new FormData();
    form.append("description", newId());
    return (await rest(who, "PATCH", `/blogs/${slug}`, form)).blog._id === id;
  },
  "PATCH /blogs/{blogId}: by cookie": async (who, { slug }) =>
    Boolean(
      await rest({ ...who, rest: new ApiClient(testSite) }, "PATCH", `/blogs/${slug}`, new FormData(), {
        cookie: who.browser.cookie,
        origin: testSite.url,
      }),
    ),
  "DELETE /blogs/{blogId}": async (who, place) =>
    (await rest(who, "DELETE", `/blogs/${await removableBlogId(who, place)}`)).message !== "",
  "POST /blogs/like/{blogId}": (who, { id }) =>
    toggleTwice(() => rest(who, "POST", `/blogs/like/${id}`, {}), "isLiked"),
  "PATCH /save-blog/{blogId}": (who, { id }) =>
    toggleTwice(() => rest(who, "PATCH", `/save-blog/${id}`), "isSaved"),
  "POST /blogs/comment/{blogId}": async (who, { id }) =>
    (await rest(who, "POST", `/blogs/comment/${id}`, { comment: "Yes." })).comment.comment === "Yes.",
  "POST /comment/{commentId}/{blogId}": async (who, { id, reader: said }) =>
    (await rest(who, "POST", `/comment/${said[0]}/${id}`, { reply: "Yes." })).reply.parentComment === said[0],
  "PATCH /blogs/like-comment/{commentId}": async (who, { reader: said }) =>
    typeof (await rest(who, "PATCH", `/blogs/like-comment/${said[0]}`, {})).isLiked === "boolean",
  "PATCH /blogs/edit-comment/{commentId}": async (who, { reader: said }) =>
    Boolean(await rest(who, "PATCH", `/blogs/edit-comment/${said[0]}`, { updatedCommentContent: "Mine." })),
  "DELETE /blogs/comment/{commentId}": async (who, place) =>
    (await rest(who, "DELETE", `/blogs/comment/${ownComment(who, place, 2)}`)).message !== "",

  "/sitemap-:part.xml": async (who, { slug }) =>
    (await textAt(who, "/sitemap-1.xml")).includes(`/blog/${slug}</loc>`),
  "/oembed": async (who, { slug }) => {
    const address = encodeURIComponent(`${testSite.config.publicUrl}/blog/${slug}`);
    return (await textAt(who, `/oembed?url=${address}`)).includes("author_name");
  },
  // The hash does not matter: an old one redirects to the current card.
  "/cards/:name": async (who, { slug }) => {
    const old = await who.browser.fetch(`/cards/${slug}-${"0".repeat(16)}.png`);
    if (old.status !== 302) throw new Refused(old.status, slug);
    return (await textAt(who, old.headers.get("location") ?? "")).includes("PNG");
  },
  "/feed.xml": inFeed(() => "/{file}"),
  "/:username/feed.xml": inFeed(({ author }) => `/${author.username}/{file}`),
  "/tag/:tag/feed.xml": inFeed(() => "/tag/night/{file}"),
  "/search/feed.xml": inFeed(({ word }) => `/search/{file}?q=${word}`),
  "/": (who, { slug }) => shows(who, "/", link(slug), slug),
  "/home": (who, { slug }) => shows(who, "/home", link(slug), slug),
  "/home: most liked": (who, { slug }) => shows(who, "/home?sort=likes", link(slug), slug),
  "/search": (who, { slug, word }) => shows(who, `/search?q=${word}`, link(slug), slug),
  "/tag/:tag": (who, { slug }) => shows(who, "/tag/night", link(slug), slug),
  "/blog/:slug": (who, { slug }) => shows(who, `/blog/${slug}`, "Owls, mostly."),
  "/blog/:slug.md": (who, { slug }) => shows(who, `/blog/${slug}.md`, "Owls, mostly."),
  "/blog/:slug.html": (who, { slug }) => shows(who, `/blog/${slug}.html`, "Owls, mostly."),
  "/edit/:slug": (who, { slug, word }) => shows(who, `/edit/${slug}`, "Edit your blog", `On the ${word}`),
  "/edit/:id/preview": (who, { id, word }) =>
    shows(who, `/edit/${id}/preview`, "readers", `Preview: On the ${word}`),
  "/my-blogs": (who, { slug }) => shows(who, "/my-blogs", link(slug), slug),
  "/notifications: of a reply there": (who, { slug }) =>
    shows(who, "/notifications", `href="/blog/${slug}#`, slug),
  "/:username": (who, { slug, author }) => shows(who, `/${author.username}`, link(slug), slug),
  "/:username/:tab: private-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/private-blogs`, link(slug), slug),
  "/:username/:tab: draft-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/draft-blogs`, link(slug), slug),
  "/:username/:tab: liked-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/liked-blogs`, link(slug), slug),
  "/:username/:tab: saved-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/saved-blogs`, link(slug), slug),
};
