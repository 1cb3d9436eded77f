import type { FastifyInstance, FastifyReply } from "fastify";
import { decodeUri } from "../../shared/decode-uri.ts";
import { cardSize, jpegOf } from "../../shared/cards.ts";
import { AppError } from "../../shared/errors.ts";
import { servedSegment, routes } from "../../shared/routes.ts";
import { readableBlog } from "../blogs/access.ts";
import { cardById } from "../blogs/card-queries.ts";
import type { Services } from "../context.ts";
import { crossOrigin } from "../http/security-headers.ts";
import { avatarPath } from "../media/paths.ts";
import { visibleUser } from "../profiles/access.ts";
import { canReadAccount } from "../profiles/policy.ts";
import { siteFacts } from "../site/info.ts";
import { cardPath, wordsOfBlog } from "./card-routes.ts";

/** A response, named as in oEmbed 1.0. */
type Embed = Record<string, string | number>;

interface Picture {
  src: string;
  width: number;
  height: number;
}

/** The site has no longer URLs. */
const maxUrlLength = 2_000;

/** `/oembed?url=`: describes a page for link previews, as guests see it. */
export async function embedRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get<{ Querystring: Record<string, unknown> }>("/oembed", async (request, reply) => {
    void reply.headers(crossOrigin);
    await services.limits.take("read", request.ip);
    const { url, format = "json", maxwidth, maxheight } = request.query;
    if (format !== "json") return sendError(reply, 501, "The format must be json.");
    if (typeof url !== "string" || url === "")
      return sendError(reply, 400, "Please add the page’s address: /oembed?url=…");
    const [width, height] = [maxwidth, maxheight].map((value) =>
      typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : Infinity,
    ) as [number, number];
    const embed = await embedOf(
      services,
      url,
      (picture) => picture.width <= width && picture.height <= height,
    ).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "not_found") return null;
      throw error;
    });
    if (!embed) return sendError(reply, 404, "Page not found here.");
    // Public content can become private.
    return reply
      .header("cache-control", "public, max-age=0, must-revalidate")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(embed));
  });
}

const sendError = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).header("cache-control", "no-cache").send({ error: message });

/** Null or `not_found` if guests find nothing there. */
async function embedOf(
  services: Services,
  url: string,
  fits: (picture: Picture) => boolean,
): Promise<Embed | null> {
  const { config, database } = services;
  const { read } = database;
  const target = targetOf(url, config.publicUrl);
  if (!target) return null;
  const site = await siteFacts(services);
  const common = {
    version: "1.0",
    type: "link",
    provider_name: site.name,
    provider_url: `${config.publicUrl}/`,
  };
  const thumbnail = (picture: Picture): Embed =>
    fits(picture)
      ? {
          thumbnail_url: config.publicUrl + picture.src,
          thumbnail_width: picture.width,
          thumbnail_height: picture.height,
        }
      : {};
  if ("slug" in target) {
    const { id } = await readableBlog(read, null, target);
    const blog = await cardById(read, id, null);
    if (!blog || blog.draft) return null;
    return {
      ...common,
      title: blog.title,
      author_name: blog.author.name,
      author_url: config.publicUrl + routes.profile(blog.author.username),
      ...thumbnail(
        blog.cover ? jpegOf(blog.cover) : { src: await cardPath(services, wordsOfBlog(blog)), ...cardSize },
      ),
    };
  }
  const { user, relation } = await visibleUser(read, null, target);
  if (!canReadAccount(relation, user)) return null;
  const avatar = avatarPath(user.pictureId);
  return {
    ...common,
    title: user.name,
    author_name: user.name,
    author_url: config.publicUrl + routes.profile(user.username),
    ...(avatar ? thumbnail({ src: avatar, width: 192, height: 192 }) : {}),
  };
}

function targetOf(url: string, origin: string): { slug: string } | { username: string } | null {
  if (url.length > maxUrlLength || !URL.canParse(url)) return null;
  const address = new URL(url);
  if (address.origin !== origin) return null;
  const [first = "", second = "", ...more] = (decodeUri(address.pathname) ?? "")
    .replace(/\/$/, "")
    .slice(1)
    .split("/");
  if (more.length > 0) return null;
  if (first === "blog" && second !== "") return { slug: second };
  return second === "" && first !== "" && !servedSegment.test(first)
    ? { username: first.toLowerCase() }
    : null;
}
