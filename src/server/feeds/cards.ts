import { hash } from "node:crypto";
import { access, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { accentOf } from "../../shared/accent.ts";
import type { CardWords } from "../../shared/cards.ts";
import { hueOf, initialsOf } from "../../shared/drawn.ts";
import { AppError } from "../../shared/errors.ts";
import { readableBlog } from "../blogs/access.ts";
import { cardById, type CardRow } from "../blogs/card-queries.ts";
import type { Parts } from "../context.ts";
import { drawable } from "../media/card-words.ts";
import type { Card } from "../media/draw-card.ts";
import { avatarPath, pictureIdOf } from "../media/paths.ts";
import { knownUser } from "../users/access.ts";
import { canReadAccount } from "../users/policy.ts";
import { siteFacts } from "../users/site.ts";
import { storedSite } from "../users/site-queries.ts";

/** Counts how cards look: one more, and all are drawn anew. */
const design = 1;
const usualAccent = "#c8401f";
/** Files that are kept, 25 kB each. Of more the oldest quarter goes. */
const most = 4_000;
/** A card that is not there yet costs as much as so many calls. */
const cost = 10;

type Tools = Pick<Parts, "config" | "database" | "media">;

/** What a card shows now, and the hash of it. */
async function cardOf(
  { config, database, media }: Tools,
  words: CardWords,
): Promise<{ card: Card; name: string }> {
  const { name, accent, picture } = await storedSite(database.read);
  const file = (id: string | null | undefined) => (id ? path.join(media.folderOf(id), "192.webp") : null);
  const person = words.picture === null ? null : pictureIdOf(words.picture);
  const said = {
    title: drawable(words.title),
    name: drawable(words.name) || (words.username && `@${words.username}`),
    site: words.of === "" ? "" : drawable(name ?? config.givenName),
    accent: accentOf(accent ?? usualAccent).light,
    initials:
      words.of === "" ? "" : drawable(initialsOf(words.of.startsWith("@") ? words.title : words.name)),
    hue: hueOf(words.of.startsWith("@") ? words.title : words.name),
  };
  return {
    card: { ...said, picture: file(person), sitePicture: file(picture) },
    name: hash("sha256", JSON.stringify([design, said, person, picture])).slice(0, 16),
  };
}

const addressOf = ({ of }: CardWords, name: string): string =>
  `/cards/${encodeURIComponent(of).replace("%40", "@")}-${name}.png`;

/** Where a card is that shows these words now. Its address says what is on it: other words have another. */
export const cardAt = async (tools: Tools, words: CardWords): Promise<string> =>
  addressOf(words, (await cardOf(tools, words)).name);

export const wordsOfBlog = ({
  slug,
  title,
  author,
}: Pick<CardRow, "slug" | "title" | "author">): CardWords => ({
  of: slug,
  title,
  name: author.name,
  username: author.username,
  picture: avatarPath(author.pictureId),
});

/** What stands on the card of a blog, a person or the site, for everybody. Throws `not_found` where that is not for a guest. */
async function wordsFor(parts: Parts, of: string): Promise<CardWords> {
  const { read } = parts.database;
  if (of === "") {
    const { name, description } = await siteFacts(parts);
    return { of, title: name, name: description, username: "", picture: null };
  }
  if (of.startsWith("@")) {
    const { user, standing } = await knownUser(read, null, { username: of.slice(1) });
    if (!canReadAccount(standing, user)) throw noCard();
    const name = `@${user.username}`;
    return { of: name, title: user.name, name, username: user.username, picture: avatarPath(user.pictureId) };
  }
  const { id } = await readableBlog(read, null, { slug: of });
  const blog = await cardById(read, id, null);
  if (!blog) throw noCard();
  return wordsOfBlog(blog);
}

const noCard = () => new AppError("not_found", "This picture doesn’t exist.");

/** `GET /cards/{of}-{hash}.png`: the picture that stands for a page where somebody links to it. The right to it is asked each time, as a guest. */
export async function cardRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const drawn = new DrawnCards(parts, path.join(parts.config.dataDir, "cards"));
  app.get<{ Params: { name: string } }>("/cards/:name", async (request, reply) => {
    const [, of, asked] = /^(@?[^/]{0,200})-([0-9a-f]{16})\.png$/.exec(request.params.name) ?? [];
    if (of === undefined) throw noCard();
    const words = await wordsFor(parts, of).catch((error: unknown) => {
      void reply.header("cache-control", "no-cache");
      throw error;
    });
    const { card, name } = await cardOf(parts, words);
    // Where it was linked with other words, or by another name of what it is about.
    if (asked !== name || of !== words.of)
      return reply.header("cache-control", "no-cache").redirect(addressOf(words, name), 302);
    const etag = `"${name}"`;
    void reply.headers({
      etag,
      // What is public now may be private in the next moment, as of every picture.
      "cache-control": "public, max-age=300",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    if (!(await drawn.has(name))) {
      await parts.limits.take("read", request.ip, cost);
      await drawn.draw(name, card);
    }
    return reply.sendFile(`${name}.png`, drawn.folder, { cacheControl: false, etag: false });
  });
}

/** Cards as files, which may go at any time: each is drawn again when somebody asks. */
class DrawnCards {
  readonly folder: string;
  readonly #parts: Pick<Parts, "media" | "log">;
  readonly #underWay = new Map<string, Promise<void>>();
  #count: number | undefined;

  constructor(parts: Pick<Parts, "media" | "log">, folder: string) {
    this.#parts = parts;
    this.folder = folder;
  }

  has(name: string): Promise<boolean> {
    return access(this.#file(name)).then(
      () => true,
      () => false,
    );
  }

  /** Whoever asks for the same meanwhile waits for it, too. */
  draw(name: string, card: Card): Promise<void> {
    let drawing = this.#underWay.get(name);
    if (!drawing) {
      drawing = this.#draw(name, card).finally(() => this.#underWay.delete(name));
      this.#underWay.set(name, drawing);
    }
    return drawing;
  }

  async #draw(name: string, card: Card): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const part = `${this.#file(name)}.part`;
    await this.#parts.media.draw(card, part);
    await rename(part, this.#file(name));
    this.#count = (this.#count ?? (await readdir(this.folder)).length - 1) + 1;
    if (this.#count > most) {
      this.#count = undefined;
      void this.#makeRoom().catch((error: unknown) =>
        this.#parts.log.error({ err: error }, "old cards could not be removed"),
      );
    }
  }

  async #makeRoom(): Promise<void> {
    const aged: { file: string; at: number }[] = [];
    for (const name of await readdir(this.folder)) {
      const file = path.join(this.folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found) aged.push({ file, at: found.mtimeMs });
    }
    aged.sort((one, other) => one.at - other.at);
    for (const { file } of aged.slice(0, Math.ceil(aged.length / 4))) await rm(file, { force: true });
  }

  #file(name: string): string {
    return path.join(this.folder, `${name}.png`);
  }
}
