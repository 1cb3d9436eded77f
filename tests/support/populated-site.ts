import { storeAliases } from "../../src/server/blogs/aliases.ts";
import { actingAs } from "../../src/server/commands/services.ts";
import { importFrom } from "../../src/server/imports/import-posts.ts";
import { openAsKind } from "../../src/server/imports/kinds.ts";
import { wordPressExport } from "./exports/wordpress.ts";
import { filesOf } from "./exports/files.ts";
import { paint, upload } from "./pictures.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  password,
  until,
  type SignedInBrowser,
  type TestSite,
} from "./test-site.ts";

const image = (src: string) => ({
  type: "image",
  attrs: { src, alt: "An owl", title: null, width: null, height: null },
});
const link = (href: string, text: string) => ({
  type: "text",
  text,
  marks: [{ type: "link", attrs: { href, title: null } }],
});

/** A document with headings, a picture and a link to another blog of the site. */
const rich = (src: string, href: string) => ({
  type: "doc",
  content: [
    {
      type: "heading",
      attrs: { level: 2, align: null, indent: 0 },
      content: [{ type: "text", text: "At dusk" }],
    },
    {
      type: "paragraph",
      attrs: { align: "center", indent: 1 },
      content: [{ type: "text", text: "See " }, link(href, "the other one")],
    },
    { type: "paragraph", attrs: { align: null, indent: 0 }, content: [image(src)] },
  ],
});

/** A text that must not change how the files of an export are decoded. */
const encodingQuote = "Café <meta charset=windows-1252>";

export interface PopulatedSite {
  ana: SignedInBrowser;
  ben: SignedInBrowser;
  mia: SignedInBrowser;
  kim: SignedInBrowser;
}

/** Creates a small site with one of everything: Ana is the administrator, Mia's account is private, Kim moderates. */
export async function createPopulatedSite(testSite: TestSite): Promise<PopulatedSite> {
  const [ana, ben, mia, kim, deletedUser] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Mia"),
    await testSite.createAccount("Kim"),
    await testSite.createAccount("Leaver"),
  ];
  const postComment = async (
    who: SignedInBrowser,
    blog: { id: string },
    text: string,
    parentId: string | null = null,
  ) => who.api.comments.create.mutate(aComment(blog, { text, parentId }));

  const [portrait, cover, inlinePicture] = [
    await upload(ana, await paint(300, 200, "png")),
    await upload(ana, await paint(1200, 700, "jpeg")),
    await upload(ana, await paint(640, 480, "png")),
  ];
  const hidden = await upload(ana, await paint(500, 400, "png"));
  await upload(ben, await paint(20, 20, "png"));
  await ana.api.users.updateProfile.mutate({
    pictureId: portrait.id,
    bio: "Owls.\nAnd moss.",
    name: "Ana María",
  });
  await ben.api.users.updateProfile.mutate({ username: "ben.of.old" });
  await ben.api.users.updateProfile.mutate({ username: "bennett" });
  await ben.api.users.updateSettings.mutate({
    interests: ["night", "moss"],
    mutedWords: ["spoiler"],
    showSavedBlogs: true,
  });

  const moss = await ana.api.blogs.create.mutate(
    aBlog({
      title: "On moss",
      slug: "moss",
      tags: ["moss", "night"],
      document: paragraphs(encodingQuote),
    }),
  );
  const owls = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Owls & <others>",
      slug: "owls",
      coverId: cover.id,
      coverFocus: { x: 30, y: 20 },
      document: rich(inlinePicture.src, "/blog/moss"),
      canonicalUrl: "https://example.org/owls",
      searchTitle: "All owls",
      language: "de-AT",
      searchDescription: "Each of them.",
    }),
  );
  await ana.api.blogs.update.mutate({ id: owls.id, slug: "barn-owls" });
  await testSite.write((tx) => storeAliases(tx, owls.id, ["/2019/03/owls/", "/?p=12"]));
  await ana.api.blogs.create.mutate(aBlog({ title: "A drawer", slug: "drawer", draft: true, private: true }));
  const friends = await ana.api.blogs.create.mutate(
    aBlog({ title: "For friends", slug: "friends", private: true, coverId: hidden.id }),
  );
  const pendingBlog = await ben.api.blogs.create.mutate(
    aBlog({ title: "Read first", slug: "read-first", tags: ["night"] }),
  );
  await ben.api.blogs.setCommenters.mutate({ id: pendingBlog.id, commentsFrom: "approved" });
  const closed = await mia.api.blogs.create.mutate(
    aBlog({ title: "Mia\u2019s own", slug: "mias", tags: ["moss"] }),
  );
  const long = await mia.api.blogs.create.mutate(
    aBlog({
      title: "A long one",
      slug: "long",
      document: paragraphs(
        ...Array.from({ length: 400 }, (_, index) => `Line ${index} of many words, and so on. `.repeat(8)),
      ),
    }),
  );
  const bad = await deletedUser.api.blogs.create.mutate(
    aBlog({ title: "Buy now", slug: "buy", draft: true }),
  );
  await deletedUser.api.blogs.remove.mutate({ id: bad.id });
  const takenDownBlog = await ben.api.blogs.create.mutate(aBlog({ title: "Taken back", slug: "taken" }));

  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await mia.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ben.api.social.follow.mutate({ userId: mia.me.id, follow: true });
  await mia.api.users.updateSettings.mutate({ private: true });
  await kim.api.social.follow.mutate({ userId: mia.me.id, follow: true });

  const place = { block: 210, words: 0xffff_ffff, part: 40 };
  await ana.api.social.keepPosition.mutate({ blogId: moss.id, place: { ...place, block: 1 } });
  await ben.api.social.keepPosition.mutate({ blogId: long.id, place });

  const first = await postComment(ben, owls, `Hoo, @ana. See https://example.org/ ${encodingQuote}`);
  const reply = await postComment(ana, owls, "Hoo to you.", first.id);
  await postComment(mia, owls, "Both of you are loud.", reply.id);
  const deletedUsersComment = await postComment(deletedUser, owls, "I was here.");
  await postComment(ben, owls, "So you were.", deletedUsersComment.id);
  const hiddenComment = await postComment(mia, owls, "Off the topic.");
  const editedComment = await postComment(ana, moss, "Tpyo");
  await ana.api.comments.edit.mutate({ id: editedComment.id, text: "Typo" });
  await ana.api.comments.mark.mutate({ id: first.id, mark: "pinned" });
  await ana.api.comments.mark.mutate({ id: hiddenComment.id, mark: "hidden" });
  await postComment(ana, pendingBlog, "This waits.");
  await postComment(ben, friends, "Among friends.");
  for (const who of [ben, mia]) await who.api.social.likeBlog.mutate({ blogId: owls.id, liked: true });
  await ana.api.social.likeBlog.mutate({ blogId: pendingBlog.id, liked: true });
  await ana.api.social.likeBlog.mutate({ blogId: closed.id, liked: true }).catch(() => undefined);
  await ana.api.comments.like.mutate({ id: first.id, liked: true });
  await mia.api.comments.like.mutate({ id: first.id, liked: true });
  await ben.api.social.saveBlog.mutate({ blogId: owls.id, saved: true });
  await ben.api.social.saveBlog.mutate({ blogId: long.id, saved: true });
  await mia.api.social.block.mutate({ userId: kim.me.id, blocked: true });
  await ben.api.social.mute.mutate({ userId: mia.me.id, muted: true });
  await mia.api.social.setSubscription.mutate({ blogId: owls.id, level: "follow" });
  for (const { id } of [owls, friends]) {
    await ana.api.blogs.inviteAuthor.mutate({ id, username: "bennett" });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  }
  await ana.api.blogs.inviteAuthor.mutate({ id: moss.id, username: kim.me.username });
  await ana.api.social.setSubscription.mutate({ blogId: moss.id, level: "mute" });
  await ana.api.social.setNotificationChannels.mutate({ topic: "likes", page: true, mail: "daily" });
  await deletedUser.api.users.remove.mutate({ password });
  // A job deletes the account.
  await until(
    () => testSite.rows(`select 1 from users where id = '${deletedUser.me.id}'`).length === 0,
    "the deletion of an account",
  );

  const source = await openAsKind(
    "wordpress",
    filesOf({
      "old.xml": wordPressExport([
        {
          title: "From before",
          slug: "before",
          content: "<p>Old words.</p>",
          comments: [
            { id: 1, author: "Wren", text: "A guest was here." },
            { id: 2, author: "Jay", text: "Another one.", parent: 1 },
          ],
        },
      ]),
    }),
  );
  await importFrom(actingAs(testSite.app.services, { id: mia.me.id }), source);

  await ana.api.moderation.makeModerator.mutate({ userId: kim.me.id, moderator: true });
  await kim.api.moderation.resolveReport.mutate({
    kind: "blog",
    id: takenDownBlog.id,
    outcome: "take-down",
    reason: "Not yours.",
  });
  await ana.api.administration.setSite.mutate({
    name: "The Owl Post",
    description: "Of owls.",
    accent: "#2244aa",
    picture: portrait.id,
  });
  for (const [kind, text] of [
    ["terms", "# Terms\n\nBe kind."],
    ["landing", "Come in."],
    ["sheet", "h1 { letter-spacing: 1px }"],
  ] as const)
    await ana.api.administration.setText.mutate({ kind, source: text });
  await ben.api.users.sawTexts.mutate();
  return { ana, ben, mia, kim };
}
