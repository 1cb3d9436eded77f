import { paint, upload } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import type { TestSite } from "./test-site.ts";

/** The people and blogs that all screens need, some with extreme texts. */
export interface ScreensData {
  /** Writes most blogs and asks to follow a private account. */
  ana: SignedInBrowser;
  /** Follows, likes and replies to Ana. */
  ben: SignedInBrowser;
  /** Has no blogs and no notifications. */
  cleo: SignedInBrowser;
  /** A private account. */
  dora: SignedInBrowser;
  /** A private account with extremely long or right-to-left names, titles and comments. */
  ida: SignedInBrowser;
  /** A public account with such texts. */
  finn: SignedInBrowser;
  slug: string;
  draft: string;
  /** Has versions. */
  rewritten: string;
  /** A draft that is scheduled for publication in half a year. */
  planned: string;
  /** The blogs of Ida and of Finn with extreme texts. */
  strained: string;
  endless: string;
  /** A draft that Finn, Ida and Ana write; Dora is invited. */
  shared: string;
}

const long =
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft and what became of it in the end";
const text = (value: string, ...marks: object[]) => ({
  type: "text",
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });

/** A document with every kind of node. */
const documentWithAllNodes = (picture: string) => ({
  type: "doc",
  content: [
    { type: "heading", attrs: { level: 1 }, content: [text("A first heading")] },
    { type: "heading", attrs: { level: 2 }, content: [text(long)] },
    { type: "heading", attrs: { level: 4 }, content: [text("A small one")] },
    paragraph(
      text("Bold", { type: "strong" }),
      text(", italic", { type: "em" }),
      text(", struck", { type: "strike" }),
      text(", raised", { type: "sup" }),
      text(", code", { type: "code" }),
      text(", huge", { type: "size", attrs: { size: "huge" } }),
      text(", coloured", { type: "color", attrs: { color: "#e60000" } }),
      text(", and a link", { type: "link", attrs: { href: "https://example.org/" } }),
      text("."),
    ),
    { type: "blockquote", content: [paragraph(text("Said by somebody."))] },
    {
      type: "bullet_list",
      content: [
        {
          type: "list_item",
          content: [
            paragraph(text("One")),
            { type: "ordered_list", content: [{ type: "list_item", content: [paragraph(text("Within"))] }] },
          ],
        },
      ],
    },
    {
      type: "code_block",
      attrs: { language: "ts" },
      content: [text(`const line = "${"long ".repeat(60)}";`)],
    },
    {
      type: "table",
      content: [
        {
          type: "table_row",
          content: Array.from({ length: 12 }, (_, column) => ({
            type: "table_header",
            content: [paragraph(text(`Column ${column}`))],
          })),
        },
      ],
    },
    paragraph({ type: "image", attrs: { src: picture, alt: "A plain of one colour" } }),
    { type: "horizontal_rule" },
    paragraph(text("https://example.org/" + "x".repeat(300))),
  ],
});

/** Unbreakable words, right-to-left texts and emoji. */
const extremeTexts = {
  word: "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenleiterin",
  hebrew: "ינשופים בלילה, ומה שאפשר לשמוע מהם כשאין אף אחד אחר ער בעמק",
  arabic: "البوم في الليل وما يمكن سماعه منه عندما لا يكون أحد مستيقظا",
  emoji: "🦉👩‍👩‍👧‍👦🏳️‍🌈".repeat(8),
  address: `https://example.org/${"a-very-long-path/".repeat(12)}`,
};

/** Gives two people extreme names, blogs and comments, and the private one a follow request. */
async function addExtremeData(
  site: TestSite,
  ida: SignedInBrowser,
  finn: SignedInBrowser,
): Promise<Pick<ScreensData, "ida" | "strained" | "endless">> {
  await finn.api.users.updateProfile.mutate({ name: extremeTexts.word.slice(0, 80) });
  await finn.api.users.updateSettings.mutate({ interests: ["chess"] });
  // The slices may cut within a character.
  await ida.api.users.updateProfile.mutate({
    name: `${extremeTexts.hebrew} ${extremeTexts.emoji}`.slice(0, 60),
    username: "i".repeat(30),
    bio: `${extremeTexts.word} ${extremeTexts.arabic}\n${extremeTexts.emoji}`.slice(0, 200),
  });
  await ida.api.users.updateSettings.mutate({ interests: ["owls", extremeTexts.word.slice(0, 40)] });
  const cover = await upload(ida, await paint(900, 600));
  const tags = ["owls", extremeTexts.word.slice(0, 30), "ليل"];
  const { id, slug } = await ida.api.blogs.create.mutate(
    aBlog({
      title: extremeTexts.word,
      description: extremeTexts.word,
      tags,
      coverId: cover.id,
      document: paragraphs(
        extremeTexts.word,
        extremeTexts.address,
        extremeTexts.hebrew,
        extremeTexts.arabic,
        extremeTexts.emoji,
      ),
    }),
  );
  for (const change of [
    { title: extremeTexts.hebrew, description: extremeTexts.arabic, tags },
    { title: extremeTexts.emoji.slice(0, 140), description: "" },
    { title: `Draft ${extremeTexts.word}`, draft: true },
    { title: `Private ${extremeTexts.hebrew}`, private: true },
  ])
    await ida.api.blogs.create.mutate(aBlog(change));
  const endless = await finn.api.blogs.create.mutate(aBlog({ title: extremeTexts.word, tags }));
  await finn.api.blogs.create.mutate(aBlog({ title: "Owls, and again", tags }));
  let parentId: string | null = null;
  for (const commentText of [
    extremeTexts.word.repeat(3),
    extremeTexts.hebrew,
    extremeTexts.address,
    extremeTexts.emoji,
    "Short.",
  ])
    for (const person of [finn, ida]) {
      const comment = aComment({ id }, { text: commentText, parentId });
      await person.api.comments.create.mutate(comment);
      parentId = comment.id;
    }
  await finn.api.comments.create.mutate(aComment({ id }, { text: "Beside it." }));
  for (const reader of [ida, finn]) {
    await reader.api.social.likeBlog.mutate({ blogId: id, liked: true });
    await reader.api.social.saveBlog.mutate({ blogId: id, saved: true });
  }
  await finn.api.social.follow.mutate({ userId: ida.me.id, follow: true });
  await ida.api.social.follow.mutate({ userId: finn.me.id, follow: true });
  await ida.api.users.updateSettings.mutate({ private: true });
  const requester = await site.createAccount("Mo");
  await requester.api.users.updateProfile.mutate({ name: extremeTexts.arabic });
  await requester.api.social.follow.mutate({ userId: ida.me.id, follow: true });
  const me = (await ida.api.users.me.query()) ?? ida.me;
  return { ida: { ...ida, me }, strained: slug, endless: endless.slug };
}

/** Creates the people and their data. */
export async function createScreensData(site: TestSite): Promise<ScreensData> {
  const [ana, ben, cleo, dora, ida, finn] = [
    await site.createAccount("Ana Torres"),
    await site.createAccount("Ben Oke"),
    await site.createAccount("Cleo Marsh"),
    await site.createAccount("Dora Vale"),
    await site.createAccount("Ida"),
    await site.createAccount("Finn"),
  ];
  await ana.api.users.updateProfile.mutate({ bio: "Walks at night.\nListens to owls." });
  await ana.api.users.updateSettings.mutate({ interests: ["owls", "night walks"], showSavedBlogs: true });
  await ben.api.users.updateSettings.mutate({ interests: ["owls"] });
  await dora.api.users.updateSettings.mutate({ private: true });
  const cover = await upload(ana, await paint(1200, 800));
  const { id, slug } = await ana.api.blogs.create.mutate(
    aBlog({
      title: `Owls, and ${long}`,
      tags: ["night", "owls", "a-tag-that-is-quite-long-too"],
      coverId: cover.id,
      document: documentWithAllNodes(cover.src),
    }),
  );
  const draft = await ana.api.blogs.create.mutate(aBlog({ title: "Unfinished", draft: true }));
  // Two versions that differ in every way.
  const rewritten = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Rewritten",
      private: true,
      coverId: cover.id,
      document: { type: "doc", content: documentWithAllNodes(cover.src).content.slice(3) },
    }),
  );
  await ana.api.blogs.update.mutate({
    id: rewritten.id,
    etag: 1,
    title: `Rewritten, and ${long}`,
    tags: ["night", "owls"],
    coverId: null,
    document: {
      type: "doc",
      content: [
        paragraph(text(`Some words before it: ${long}.`)),
        ...documentWithAllNodes(cover.src).content.slice(4, -3),
      ],
    },
  });
  const at = new Date(Date.now() + 180 * 24 * 60 * 60_000).toISOString();
  const planned = await ana.api.blogs.create.mutate(
    aBlog({ title: "In spring", draft: true, schedule: { at, zone: "America/Argentina/ComodRivadavia" } }),
  );
  await ana.api.blogs.create.mutate(aBlog({ title: "For friends", private: true }));
  for (const title of ["Rain", "Snow", "Fog", "Hail"])
    await ana.api.blogs.create.mutate(
      aBlog({ title, tags: ["owls"], document: paragraphs(`${title}, mostly.`) }),
    );
  await dora.api.blogs.create.mutate(aBlog({ title: "Behind the door" }));
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ana.api.users.updateSettings.mutate({ private: true });
  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.users.updateSettings.mutate({ private: false });
  await ben.api.social.follow.mutate({ userId: dora.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: dora.me.id, follow: true });
  for (const reader of [ben, cleo]) {
    await reader.api.social.likeBlog.mutate({ blogId: id, liked: true });
    await reader.api.social.saveBlog.mutate({ blogId: id, saved: true });
  }
  let parentId: string | null = null;
  for (let depth = 0; depth < 9; depth++) {
    const comment = aComment(
      { id },
      { parentId, text: `${"Which owls? ".repeat(depth + 1)}https://example.org/${"y".repeat(120)}` },
    );
    await (depth % 2 ? ana : ben).api.comments.create.mutate(comment);
    parentId = comment.id;
  }
  const strained = await addExtremeData(site, ida, finn);
  const shared = await finn.api.blogs.create.mutate(
    aBlog({ title: `Together, ${extremeTexts.word}`, draft: true }),
  );
  for (const { me } of [ida, ana, dora])
    await finn.api.blogs.inviteAuthor.mutate({
      id: shared.id,
      username: me.id === ida.me.id ? strained.ida.me.username : me.username,
    });
  for (const { api } of [ida, ana]) await api.blogs.answerInvitation.mutate({ id: shared.id, accept: true });
  const others = { draft: draft.slug, rewritten: rewritten.slug, planned: planned.slug, shared: shared.slug };
  return { ana, ben, cleo, dora, finn, slug, ...others, ...strained };
}
