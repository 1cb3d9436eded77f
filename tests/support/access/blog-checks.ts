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
  isTextShown,
  includesId,
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
  hasReplyNotification,
  canFetchPicture,
  textAt,
} from "./setup.ts";
import { toggleTwice } from "./account-checks.ts";
import { entryChecks } from "./entry-checks.ts";

/** Adds a version of a blog's draft, that readers do not see: restoring another one records it. Returns the newest version. */
async function addVersion({ api }: Author, id: string): Promise<{ id: string }> {
  for (let turn = 0; turn < 2; turn++) {
    const { epoch, seq } = await api.blogs.openDraft.mutate({ id });
    const fields = { description: newId(), restores: newId() };
    await api.blogs.pushCommit.mutate({ ...aCommit(id), epoch, seq, fields });
  }
  return (await api.blogs.versions.query({ id })).versions[0]!;
}

export const blogChecks: Record<string, (person: Person, place: TestBlog) => Outcome> = {
  ...entryChecks,
  "GET /media/{id}: its cover": (person, { pictures: [cover] }) => canFetchPicture(person, cover),
  "GET /media/{id}: in its text": (person, { pictures: [, picture] }) => canFetchPicture(person, picture),
  "blogs.bySlug": async (person, { slug }) =>
    (await person.api.blogs.bySlug.query({ slug })).html.includes("Owls"),
  "blogs.card": async (person, { id }) => (await person.api.blogs.card.query({ id })).id === id,
  "blogs.further": async (person, { id, author }) =>
    (await person.api.blogs.further.query({ id })).authors[0]?.id === author.id,
  "blogs.readable": async (person, { slug }) =>
    (await person.api.blogs.readable.query({ slugs: [slug] })).slugs.length === 1,
  "blogs.linked": async (person, { slug }) =>
    (await person.api.blogs.linked.query({ slugs: [slug] })).blogs.length === 1,
  "blogs.list": async (person, { id }) => includesId((await person.api.blogs.list.query({})).blogs, id),
  "blogs.list: most liked": async (person, { id }) =>
    includesId((await person.api.blogs.list.query({ sort: "likes" })).blogs, id),
  "blogs.byTag": async (person, { id }) =>
    includesId((await person.api.blogs.byTag.query({ tag: "night" })).blogs, id),
  "blogs.byTag: most liked": async (person, { id }) =>
    includesId((await person.api.blogs.byTag.query({ tag: "night", sort: "likes" })).blogs, id),
  "blogs.search": async (person, { id, word }) =>
    includesId((await person.api.blogs.search.query({ query: word })).blogs, id),
  "blogs.following": async (person, { id }) =>
    includesId((await person.api.blogs.following.query({})).blogs, id),
  "blogs.showcase": async (person, { id }) => includesId((await person.api.blogs.showcase.query()).blogs, id),
  "blogs.recommended": async (person, { id }) =>
    includesId((await person.api.blogs.recommended.query()).blogs, id),
  "blogs.byAuthor": inTab("blogs"),
  "blogs.byAuthor: private": inTab("private-blogs"),
  "blogs.byAuthor: drafts": inTab("draft-blogs"),
  "blogs.byAuthor: liked": inTab("liked-blogs"),
  "blogs.byAuthor: saved": inTab("saved-blogs"),
  "blogs.mine": async (person, { id }) => includesId((await person.api.blogs.mine.query({})).blogs, id),
  "blogs.forEdit": async (person, { slug }) => (await person.api.blogs.forEdit.query({ slug })).etag > 0,
  "blogs.versions": async (person, { id, author }) => {
    await addVersion(author, id);
    return (await person.api.blogs.versions.query({ id })).versions.length > 0;
  },
  "blogs.version": async (person, { id, author }) => {
    const newest = await addVersion(author, id);
    return (await person.api.blogs.version.query({ id, version: newest.id })).document !== undefined;
  },
  "blogs.deleteVersion": async (person, { id, author }) => {
    const { id: version } = await addVersion(author, id);
    return (await person.api.blogs.deleteVersion.mutate({ id, version })).message !== "";
  },
  "blogs.setCommenters": async (person, { id }) =>
    (await person.api.blogs.setCommenters.mutate({ id, commentsFrom: "everyone" })).commentsFrom ===
    "everyone",
  "blogs.update": async (person, { id }) =>
    (await person.api.blogs.update.mutate({ id, description: newId() })).id === id,
  "blogs.begin": async (person, { id }) => (await person.api.blogs.begin.mutate({ id })) !== null,
  "blogs.openDraft": async (person, { id }) => (await person.api.blogs.openDraft.mutate({ id })).id === id,
  "blogs.here": async (person, { id }) =>
    (await person.api.blogs.here.mutate({ id, client: newId(), seq: 1, anchor: 1, head: 1 })).id === id,
  "blogs.preview": async (person, { id }) =>
    (await person.api.blogs.preview.query({ id })).blog.html.includes("Owls"),
  "blogs.commitsSince": async (person, { id }) =>
    (await person.api.blogs.commitsSince.query({ id, epoch: "another", seq: 1 })).commits === null,
  "blogs.pushCommit": async (person, { id }) =>
    (await person.api.blogs.pushCommit.mutate({ ...aCommit(id), epoch: "another" })).kind === "lost",
  "blogs.discardDraft": async (person, { id }) =>
    (await person.api.blogs.discardDraft.mutate({ id })) !== null,
  "blogs.publish": async (person, { id, author }) => {
    const { draft } = await author.api.blogs.card.query({ id });
    await author.api.blogs.openDraft.mutate({ id });
    return (await person.api.blogs.publish.mutate({ id, draft })).id === id;
  },
  "blogs.authors": async (person, { id }) => (await person.api.blogs.authors.query({ id })).id === id,
  "blogs.inviteAuthor": async (person, { id }) => {
    const { username, id: userId } = commenterWithoutFollow as Author;
    const { message } = await person.api.blogs.inviteAuthor.mutate({ id, username });
    await person.api.blogs.removeAuthor.mutate({ id, userId });
    return message.endsWith("is invited.");
  },
  "blogs.answerInvitation": async (person, blog) => {
    await person.api.blogs.answerInvitation.mutate({ id: blog.id, accept: true });
    // Restores the state before.
    await person.api.blogs.removeAuthor.mutate({ id: blog.id, userId: person.id! });
    await setCoAuthorRole(
      blog,
      person as Author,
      person === peopleByCoAuthorRole.coAuthor ? "coAuthor" : "invited",
    );
    return true;
  },
  "blogs.removeAuthor": async (person, { id }) =>
    (await person.api.blogs.removeAuthor.mutate({ id, userId: newId() })).message !== "",
  "blogs.removeAuthor: oneself": async (person, blog) => {
    await person.api.blogs.removeAuthor.mutate({ id: blog.id, userId: person.id! });
    await setCoAuthorRole(blog, person as Author, "coAuthor");
    return true;
  },
  "live.follow: what is written": async (person, blog) => {
    const { api } = blog.author;
    const subscription = followTopics(person.browser, [`draft:${blog.id}`], await firstCursor());
    await subscription.waitForStart();
    if (subscription.events("accessLost").length > 0) return (subscription.stop(), false);
    const { epoch } = await api.blogs.openDraft.mutate({ id: blog.id });
    await api.blogs.pushCommit.mutate({ ...aCommit(blog.id), epoch });
    await subscription.waitFor("draft.committed");
    subscription.stop();
    return true;
  },
  "live.follow: writing there": async (person, { id }) => {
    const subscription = followTopics(person.browser, [`draft:${id}`, `here:${id}:${newId()}`]);
    await subscription.waitForStart();
    if (subscription.events("accessLost").length > 0) return (subscription.stop(), false);
    await until(
      () => subscription.events("writers").some(({ writers }) => writers.length > 0),
      "being told of itself",
    );
    subscription.stop();
    return true;
  },
  "blogs.remove": async (person, blog) =>
    (await person.api.blogs.remove.mutate({ id: await removableBlogId(person, blog) })).message !== "",
  "live.follow: the open blog": (person, { id }) => receivesEvent(person, `blog:${id}`, "comment.created"),
  "live.follow: its card": (person, { id }) => receivesEvent(person, `card:${id}`, "blog.counted"),
  "live.follow: its address": (person, { slug }) =>
    receivesEvent(person, `address:${slug}`, "accessRestored"),
  "live.follow: server-sent events": followBySse,
  "live.follow: who is at it": (person, { id }) => receivesEvent(person, `presence:${id}`, "presence"),
  "live.follow: being at it": async (person, { id }) => {
    const subscription = followTopics(person.browser, [`reading:${id}:${newId()}`]);
    await subscription.waitForStart();
    subscription.stop();
    return subscription.events("accessLost").length === 0;
  },
  "live.follow: the feed": followFeed,
  "live.follow: what is liked": async (person, { id }) => {
    const subscription = followTopics(person.browser, ["likes"], await firstCursor());
    await subscription.waitForStart();
    subscription.stop();
    return subscription.events("blog.ranked").some(({ blogId }) => blogId === id);
  },
  "comments.list": async (person, { id, reader: commentIds }) =>
    includesId(
      (await person.api.comments.list.query({ blogId: id, including: commentIds[0]! })).comments,
      commentIds[0]!,
    ),
  "comments.replies": async (person, { id, reader: commentIds }) =>
    (await person.api.comments.replies.query({ blogId: id, rootId: commentIds[0]! })).cursor !== "",
  "comments.countReplies": async (person, { reader: commentIds }) =>
    (await person.api.comments.countReplies.query({ id: commentIds[0]! })).repliesCount >= 0,
  "comments.create": async (person, blog) =>
    (await person.api.comments.create.mutate(aComment(blog))).blogId === blog.id,
  "comments.create: a reply": async (person, blog) =>
    (await person.api.comments.create.mutate(aComment(blog, { parentId: blog.reader[0]! }))).parentId ===
    blog.reader[0],
  "comments.replying: it is told": async (person, { id }) =>
    (await person.api.comments.replying.mutate({ blogId: id })).told,
  "moderation.appeal": async (person, { id }) =>
    (await person.api.moderation.appeal.query({ blogId: id })).appeal === null,
  "moderation.report: the blog": (person, { id }) => reports(person, { kind: "blog", id }),
  "moderation.report: a comment": (person, { reader: [, , id = ""] }) =>
    reports(person, { kind: "comment", id }),
  "comments.edit: one's own": (person, blog) => editComment(person, ownComment(person, blog, 0)),
  "comments.edit: the author's": (person, blog) => editComment(person, ownComment(blog.author, blog, 0)),
  "comments.edit: a reader's": (person, blog) => editComment(person, blog.reader[0]!),
  "comments.remove: one's own": (person, blog) => removeComment(person, ownComment(person, blog, 1)),
  "comments.remove: the author's": (person, blog) => removeComment(person, ownComment(blog.author, blog, 0)),
  "comments.remove: a reader's": async (person, blog) => {
    const outcome = await removeComment(person, blog.reader[1]!);
    // After the author's removal another comment is created for the roles that follow and can see it.
    const isOpen = blog.author === authorOf("public") && !blog.flags.private && !blog.flags.draft;
    if (person === blog.author && isOpen)
      blog.reader[1] = (await reader.api.comments.create.mutate(aComment({ id: blog.id }))).id;
    return outcome;
  },
  "comments.like": async (person, { reader: commentIds }) =>
    (await person.api.comments.like.mutate({ id: commentIds[0]!, liked: true })).liked,
  "comments.mark": async (person, { reader: commentIds }) =>
    (await person.api.comments.mark.mutate({ id: commentIds[0]!, mark: "pinned" })).mark === "pinned",
  "comments.approve": async (person, blog) =>
    (await person.api.comments.approve.mutate({ id: await insertPendingComment(blog) })).message !== "",
  "comments.remove: one that waits": async (person, blog) =>
    (await person.api.comments.remove.mutate({ id: await insertPendingComment(blog) })).message !== "",
  "social.likeBlog": async (person, { id, author }) => {
    const { liked } = await person.api.social.likeBlog.mutate({ blogId: id, liked: true });
    // Liked and saved blogs are no longer recommended.
    if (person !== author) await person.api.social.likeBlog.mutate({ blogId: id, liked: false });
    return liked;
  },
  "social.subscription": async (person, { id }) =>
    (await person.api.social.subscription.query({ blogId: id })).level === null,
  "social.place": async (person, { id }) =>
    (await person.api.social.place.query({ blogId: id })).place === null,
  "social.keepPosition": async (person, { id }) => {
    const place = { block: 3, words: 7, part: 0 };
    const { kept } = await person.api.social.keepPosition.mutate({ blogId: id, place });
    await person.api.social.keepPosition.mutate({ blogId: id, place: null });
    return kept;
  },
  "social.setSubscription": async (person, { id }) => {
    const { level } = await person.api.social.setSubscription.mutate({ blogId: id, level: "mute" });
    await person.api.social.setSubscription.mutate({ blogId: id, level: null });
    return level === "mute";
  },
  "social.saveBlog": async (person, { id, author }) => {
    const { saved } = await person.api.social.saveBlog.mutate({ blogId: id, saved: true });
    if (person !== author) await person.api.social.saveBlog.mutate({ blogId: id, saved: false });
    return saved;
  },
  "social.notifications: of a reply there": hasReplyNotification,

  "GET /blogs": async (person, { id }) =>
    includesId((await rest(person, "GET", "/blogs?limit=50")).blogs, id),
  "GET /blogs: most liked": async (person, { id }) =>
    includesId((await rest(person, "GET", "/blogs?limit=50&sort=likes")).blogs, id),
  "GET /search-blogs": async (person, { id, word }) =>
    includesId((await rest(person, "GET", `/search-blogs?search=${word}`)).blogs, id),
  "GET /recommended": async (person, { id }) =>
    includesId((await rest(person, "GET", "/recommended")).blogs, id),
  "GET /blogs/{blogId}": async (person, { slug }) =>
    (await rest(person, "GET", `/blogs/${slug}`)).blog.content.includes("Owls"),
  "GET /blogs/{blogId}: by its id": async (person, { id }) =>
    (await rest(person, "GET", `/blogs/${id}`)).blog._id === id,
  "GET /blogs/{blogId}: by cookie": async (person, { slug, id }) =>
    (
      await rest({ ...person, rest: new ApiClient(testSite) }, "GET", `/blogs/${slug}`, undefined, {
        cookie: person.browser.cookie,
      })
    ).blog._id === id,
  "GET /blogs/{blogId}: signed out": async (person, { slug, id }) =>
    (
      await rest({ ...person, rest: new ApiClient(testSite, "null") }, "GET", `/blogs/${slug}`, undefined, {
        cookie: person.browser.cookie,
      })
    ).blog._id === id,
  "GET /blogs/user/{userId}": async (person, { id, author }) =>
    includesId((await rest(person, "GET", `/blogs/user/${author.id}`)).blogs, id),
  "GET /users/{username}: blogs": inProfile("blogs"),
  "GET /users/{username}: liked": inProfile("likeBlogs"),
  "GET /users/{username}: saved": inProfile("saveBlogs"),
  "PATCH /blogs/{blogId}": async (person, { slug, id }) => {
    const form = new FormData();
    form.append("description", newId());
    return (await rest(person, "PATCH", `/blogs/${slug}`, form)).blog._id === id;
  },
  "PATCH /blogs/{blogId}: by cookie": async (person, { slug }) =>
    Boolean(
      await rest({ ...person, rest: new ApiClient(testSite) }, "PATCH", `/blogs/${slug}`, new FormData(), {
        cookie: person.browser.cookie,
        origin: testSite.url,
      }),
    ),
  "DELETE /blogs/{blogId}": async (person, blog) =>
    (await rest(person, "DELETE", `/blogs/${await removableBlogId(person, blog)}`)).message !== "",
  "POST /blogs/like/{blogId}": (person, { id }) =>
    toggleTwice(() => rest(person, "POST", `/blogs/like/${id}`, {}), "isLiked"),
  "PATCH /save-blog/{blogId}": (person, { id }) =>
    toggleTwice(() => rest(person, "PATCH", `/save-blog/${id}`), "isSaved"),
  "POST /blogs/comment/{blogId}": async (person, { id }) =>
    (await rest(person, "POST", `/blogs/comment/${id}`, { comment: "Yes." })).comment.comment === "Yes.",
  "POST /comment/{commentId}/{blogId}": async (person, { id, reader: commentIds }) =>
    (await rest(person, "POST", `/comment/${commentIds[0]}/${id}`, { reply: "Yes." })).reply.parentComment ===
    commentIds[0],
  "PATCH /blogs/like-comment/{commentId}": async (person, { reader: commentIds }) =>
    typeof (await rest(person, "PATCH", `/blogs/like-comment/${commentIds[0]}`, {})).isLiked === "boolean",
  "PATCH /blogs/edit-comment/{commentId}": async (person, { reader: commentIds }) =>
    Boolean(
      await rest(person, "PATCH", `/blogs/edit-comment/${commentIds[0]}`, { updatedCommentContent: "Mine." }),
    ),
  "DELETE /blogs/comment/{commentId}": async (person, blog) =>
    (await rest(person, "DELETE", `/blogs/comment/${ownComment(person, blog, 2)}`)).message !== "",

  "/sitemap.xml": async (person, { slug }) =>
    (await textAt(person, "/sitemap.xml")).includes(`/blog/${slug}</loc>`),
  "/sitemap-:part.xml": async (person, { slug }) =>
    (await textAt(person, "/sitemap-1.xml")).includes(`/blog/${slug}</loc>`),
  "/oembed": async (person, { slug }) => {
    const address = encodeURIComponent(`${testSite.config.publicUrl}/blog/${slug}`);
    return (await textAt(person, `/oembed?url=${address}`)).includes("author_name");
  },
  // The hash does not matter: an old one redirects to the current card.
  "/cards/:name": async (person, { slug }) => {
    const oldCard = await person.browser.fetch(`/cards/${slug}-${"0".repeat(16)}.png`);
    if (oldCard.status !== 302) throw new Refused(oldCard.status, slug);
    return (await textAt(person, oldCard.headers.get("location") ?? "")).includes("PNG");
  },
  "/feed.xml": inFeed(() => "/{file}"),
  "/:username/feed.xml": inFeed(({ author }) => `/${author.username}/{file}`),
  "/tag/:tag/feed.xml": inFeed(() => "/tag/night/{file}"),
  "/search/feed.xml": inFeed(({ word }) => `/search/{file}?q=${word}`),
  "/": (person, { slug }) => isTextShown(person, "/", link(slug), slug),
  "/home": (person, { slug }) => isTextShown(person, "/home", link(slug), slug),
  "/home: most liked": (person, { slug }) => isTextShown(person, "/home?sort=likes", link(slug), slug),
  "/search": (person, { slug, word }) => isTextShown(person, `/search?q=${word}`, link(slug), slug),
  "/tag/:tag": (person, { slug }) => isTextShown(person, "/tag/night", link(slug), slug),
  "/blog/:slug": (person, { slug }) => isTextShown(person, `/blog/${slug}`, "Owls, mostly."),
  "/blog/:slug.md": (person, { slug }) => isTextShown(person, `/blog/${slug}.md`, "Owls, mostly."),
  "/blog/:slug.html": (person, { slug }) => isTextShown(person, `/blog/${slug}.html`, "Owls, mostly."),
  "/edit/:slug": (person, { slug, word }) =>
    isTextShown(person, `/edit/${slug}`, "Edit your blog", `On the ${word}`),
  "/edit/:id/preview": (person, { id, word }) =>
    isTextShown(person, `/edit/${id}/preview`, "readers", `Preview: On the ${word}`),
  "/my-blogs": (person, { slug }) => isTextShown(person, "/my-blogs", link(slug), slug),
  "/notifications: of a reply there": (person, { slug }) =>
    isTextShown(person, "/notifications", `href="/blog/${slug}#`, slug),
  "/:username": (person, { slug, author }) => isTextShown(person, `/${author.username}`, link(slug), slug),
  "/:username/:tab: private-blogs": (person, { slug, author }) =>
    isTextShown(person, `/${author.username}/private-blogs`, link(slug), slug),
  "/:username/:tab: draft-blogs": (person, { slug, author }) =>
    isTextShown(person, `/${author.username}/draft-blogs`, link(slug), slug),
  "/:username/:tab: liked-blogs": (person, { slug, author }) =>
    isTextShown(person, `/${author.username}/liked-blogs`, link(slug), slug),
  "/:username/:tab: saved-blogs": (person, { slug, author }) =>
    isTextShown(person, `/${author.username}/saved-blogs`, link(slug), slug),
};
