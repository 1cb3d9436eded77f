import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { accentOf } from "../../shared/accent.ts";
import type { CardWords } from "../../shared/cards.ts";
import { hueOf, initialsOf } from "../../shared/initials.ts";
import { headlineOf } from "../../shared/entries.ts";
import { AppError } from "../../shared/errors.ts";
import { readableBlog } from "../blogs/access.ts";
import { cardById, type CardRow } from "../blogs/card-queries.ts";
import type { Services } from "../context.ts";
import { readableEntry } from "../entries/access.ts";
import { cacheMemory } from "../runtime/cache.ts";
import { crossOrigin } from "../http/security-headers.ts";
import { isKnownEtag } from "../http/page-cache.ts";
import { renderableText, renderableTitle } from "../media/card-text.ts";
import type { Card } from "../media/render-card.ts";
import { publicPictureCaching, avatarPath, pictureIdOf } from "../media/paths.ts";
import { visibleUser } from "../profiles/access.ts";
import { canReadAccount } from "../profiles/policy.ts";
import { siteFacts } from "../site/info.ts";
import { storedSettings } from "../site/queries.ts";

/** Increase when cards look different: clients cache them by their address. */
const designVersion = 2;
const defaultAccent = "#c8401f";
/** Milliseconds until a card that could not be drawn in full is drawn again. */
const retriedAfter = 60 * 60_000;
/** The rate-limit cost of an uncached card. */
const cost = 10;

type Tools = Pick<Services, "config" | "database">;

/** Returns a card's contents and their hash. */
async function cardOf({ config, database }: Tools, words: CardWords): Promise<{ card: Card; name: string }> {
  const { name, accent, picture } = await storedSettings(database.read);
  const person = words.picture === null ? null : pictureIdOf(words.picture);
  const isOfPerson = words.of.startsWith("@");
  const content = {
    // A name with an ellipsis is another name.
    title: isOfPerson ? renderableText(words.title) : renderableTitle(words.title),
    name: renderableText(words.name) || (words.username && `@${words.username}`),
    site: words.of === "" ? "" : renderableText(name ?? config.givenName),
    accent: accentOf(accent ?? defaultAccent).light,
    initials:
      words.of === ""
        ? ""
        : renderableText(initialsOf(isOfPerson ? words.title : words.name)) || initialsOf(words.username),
    hue: hueOf(isOfPerson ? words.title : words.name),
  };
  return {
    card: { ...content, picture: person, sitePicture: picture || null },
    name: hash("sha256", JSON.stringify([designVersion, content, person, picture])).slice(0, 16),
  };
}

const addressOf = ({ of }: CardWords, name: string): string =>
  `/cards/${encodeURIComponent(of).replace("%40", "@")}-${name}.png`;

/** Returns a card's path, which contains a hash of its contents. */
export const cardPath = async (tools: Tools, words: CardWords): Promise<string> =>
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

/** Returns a card's words as guests see them. Throws `not_found`. */
async function wordsFor(services: Services, of: string): Promise<CardWords> {
  const { read } = services.database;
  if (of === "") {
    const { name, description } = await siteFacts(services);
    return { of, title: name, name: description, username: "", picture: null };
  }
  if (of.startsWith("@")) {
    const { user, relation } = await visibleUser(read, null, { username: of.slice(1) });
    if (!canReadAccount(relation, user)) throw noCard();
    const name = `@${user.username}`;
    return { of: name, title: user.name, name, username: user.username, picture: avatarPath(user.pictureId) };
  }
  if (of.startsWith("~")) {
    const { entry, blog } = await readableEntry(read, null, of.slice(1));
    const row = await cardById(read, blog.id, null);
    if (!row || row.draft) throw noCard();
    return { ...wordsOfBlog(row), of, title: headlineOf(entry) };
  }
  const { id } = await readableBlog(read, null, { slug: of });
  const blog = await cardById(read, id, null);
  if (!blog || blog.draft) throw noCard();
  return wordsOfBlog(blog);
}

const noCard = () => new AppError("not_found", "This picture doesn’t exist.");

/** `GET /cards/{of}-{hash}.png`: a page's preview picture, for guests who can see the page now. */
export async function cardRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const cards = new CardCache(services);
  app.get<{ Params: { name: string } }>("/cards/:name", async (request, reply) => {
    const [, of, requestedName] = /^(@?[^/]{0,200})-([0-9a-f]{16})\.png$/.exec(request.params.name) ?? [];
    if (of === undefined) throw noCard();
    const words = await wordsFor(services, of).catch((error: unknown) => {
      void reply.header("cache-control", "no-cache");
      throw error;
    });
    const { card, name } = await cardOf(services, words);
    // An outdated link or an alias.
    if (requestedName !== name || of !== words.of)
      return reply.header("cache-control", "no-cache").redirect(addressOf(words, name), 302);
    const etag = `"${name}"`;
    const isKnown = isKnownEtag(request.headers["if-none-match"], etag);
    // Before the headers, which an error must not have.
    const bytes = isKnown
      ? null
      : await cards.get(name, card, () => services.limits.take("read", request.ip, cost));
    void reply.headers({
      etag,
      "cache-control": publicPictureCaching,
      ...crossOrigin,
      "content-security-policy": "default-src 'none'; sandbox",
    });
    return bytes ? reply.type("image/png").send(bytes) : reply.code(304).send();
  });
}

/** A cache of cards in memory; one that is not in it is drawn. */
class CardCache {
  readonly #services: Pick<Services, "media" | "log">;
  readonly #rendering = new Map<string, Promise<Buffer>>();
  readonly #cards = cacheMemory.open<Buffer>({ sizeOf: ({ length }) => length });

  constructor(services: Pick<Services, "media" | "log">) {
    this.#services = services;
  }

  /** Returns a card, rendered after `beforeRendering` if it is not cached. Concurrent calls share one rendering. */
  async get(name: string, card: Card, beforeRendering: () => Promise<unknown>): Promise<Buffer> {
    const cached = this.#cards.get(name);
    if (cached) return cached;
    await beforeRendering();
    let rendering = this.#rendering.get(name);
    if (!rendering) {
      rendering = this.#render(name, card).finally(() => this.#rendering.delete(name));
      this.#rendering.set(name, rendering);
    }
    return rendering;
  }

  /** Renders a card, for a while without its title and name if these cannot be drawn. */
  async #render(name: string, card: Card): Promise<Buffer> {
    const { media, log } = this.#services;
    try {
      const bytes = await media.renderCard(card);
      this.#cards.set(name, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof AppError && error.code === "unavailable") throw error;
      log.warn(
        { err: error, card: name },
        "the title of a preview card could not be drawn; the card is shown without it",
      );
      const bytes = await media.renderCard({ ...card, title: "", name: "", initials: "" });
      this.#cards.set(name, bytes, { ttl: retriedAfter });
      return bytes;
    }
  }
}
