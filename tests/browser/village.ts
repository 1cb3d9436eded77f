import { paint, upload } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs } from "../support/writing.ts";
import type { Resident } from "../support/browser.ts";
import type { Site } from "./site.ts";

/** People enough for every screen, with words that strain a page. */
export interface Village {
  /** Writes everything there is; a private account asks her to be let in. */
  ana: Resident;
  /** Follows her; reads, likes, answers. */
  ben: Resident;
  /** Has written nothing, and has nothing to be told of. */
  cleo: Resident;
  /** A private account. */
  dora: Resident;
  /** A private account with names, titles and comments that have no end, or run the other way. */
  ida: Resident;
  /** A public one of that kind. */
  finn: Resident;
  slug: string;
  draft: string;
  /** Has a history. */
  rewritten: string;
  /** A draft that is published by itself in half a year. */
  planned: string;
  /** Ida's blog and Finn's. */
  strained: string;
  endless: string;
  /** A draft of Finn's, which Ida and Ana write with him; Dora is invited to. */
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

/** A text with everything that a text may have. */
const everything = (picture: string) => ({
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

/** Words without an end, other directions, pictures for letters. */
const odd = {
  word: "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenleiterin",
  hebrew: "ינשופים בלילה, ומה שאפשר לשמוע מהם כשאין אף אחד אחר ער בעמק",
  arabic: "البوم في الليل وما يمكن سماعه منه عندما لا يكون أحد مستيقظا",
  emoji: "🦉👩‍👩‍👧‍👦🏳️‍🌈".repeat(8),
  address: `https://example.org/${"a-very-long-path/".repeat(12)}`,
};

/** Gives two people such names, blogs and talk, and a third one's request to the private one of them. */
async function strain(
  site: Site,
  ida: Resident,
  finn: Resident,
): Promise<Pick<Village, "ida" | "strained" | "endless">> {
  await finn.api.users.updateProfile.mutate({ name: odd.word.slice(0, 80) });
  await finn.api.users.updateSettings.mutate({ interests: ["chess"] });
  // Cut where it falls, in the middle of a character too.
  await ida.api.users.updateProfile.mutate({
    name: `${odd.hebrew} ${odd.emoji}`.slice(0, 60),
    username: "i".repeat(30),
    bio: `${odd.word} ${odd.arabic}\n${odd.emoji}`.slice(0, 200),
  });
  await ida.api.users.updateSettings.mutate({ interests: ["owls", odd.word.slice(0, 40)] });
  const cover = await upload(ida, await paint(900, 600));
  const tags = ["owls", odd.word.slice(0, 30), "ليل"];
  const { id, slug } = await ida.api.blogs.create.mutate(
    aBlog({
      title: odd.word,
      description: odd.word,
      tags,
      coverId: cover.id,
      document: paragraphs(odd.word, odd.address, odd.hebrew, odd.arabic, odd.emoji),
    }),
  );
  for (const change of [
    { title: odd.hebrew, description: odd.arabic, tags },
    { title: odd.emoji.slice(0, 140), description: "" },
    { title: `Draft ${odd.word}`, draft: true },
    { title: `Private ${odd.hebrew}`, private: true },
  ])
    await ida.api.blogs.create.mutate(aBlog(change));
  const endless = await finn.api.blogs.create.mutate(aBlog({ title: odd.word, tags }));
  await finn.api.blogs.create.mutate(aBlog({ title: "Owls, and again", tags }));
  let parentId: string | null = null;
  for (const said of [odd.word.repeat(3), odd.hebrew, odd.address, odd.emoji, "Short."])
    for (const person of [finn, ida]) {
      const comment = aComment({ id }, { text: said, parentId });
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
  const asker = await site.resident("Mo");
  await asker.api.users.updateProfile.mutate({ name: odd.arabic });
  await asker.api.social.follow.mutate({ userId: ida.me.id, follow: true });
  const me = (await ida.api.users.me.query()) ?? ida.me;
  return { ida: { ...ida, me }, strained: slug, endless: endless.slug };
}

/** Moves them in and lets them live for a while. */
export async function settle(site: Site): Promise<Village> {
  const [ana, ben, cleo, dora, ida, finn] = [
    await site.resident("Ana Torres"),
    await site.resident("Ben Oke"),
    await site.resident("Cleo Marsh"),
    await site.resident("Dora Vale"),
    await site.resident("Ida"),
    await site.resident("Finn"),
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
      document: everything(cover.src),
    }),
  );
  const draft = await ana.api.blogs.create.mutate(aBlog({ title: "Unfinished", draft: true }));
  // Written twice, with something of everything that may change.
  const rewritten = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Rewritten",
      private: true,
      coverId: cover.id,
      document: { type: "doc", content: everything(cover.src).content.slice(3) },
    }),
  );
  await ana.api.blogs.update.mutate({
    id: rewritten.id,
    version: 1,
    title: `Rewritten, and ${long}`,
    tags: ["night", "owls"],
    coverId: null,
    document: {
      type: "doc",
      content: [
        paragraph(text(`Some words before it: ${long}.`)),
        ...everything(cover.src).content.slice(4, -3),
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
  const strained = await strain(site, ida, finn);
  const shared = await finn.api.blogs.create.mutate(aBlog({ title: `Together, ${odd.word}`, draft: true }));
  for (const { me } of [ida, ana, dora])
    await finn.api.blogs.inviteAuthor.mutate({
      id: shared.id,
      username: me.id === ida.me.id ? strained.ida.me.username : me.username,
    });
  for (const { api } of [ida, ana]) await api.blogs.answerInvitation.mutate({ id: shared.id, accept: true });
  const others = { draft: draft.slug, rewritten: rewritten.slug, planned: planned.slug, shared: shared.slug };
  return { ana, ben, cleo, dora, finn, slug, ...others, ...strained };
}
