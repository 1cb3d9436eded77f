import type { FastifyInstance, FastifyReply } from "fastify";
import { decodeUri } from "../../shared/decode-uri.ts";
import { cardSize, jpegOf } from "../../shared/cards.ts";
import { AppError } from "../../shared/errors.ts";
import { servedSegment, routes } from "../../shared/routes.ts";
import { readableBlog } from "../blogs/access.ts";
import { cardById } from "../blogs/card-queries.ts";
import type { Services } from "../context.ts";
import { crossOrigin } from "../http/security-headers.ts";
import { avatarPath, picturePath } from "../media/paths.ts";
import { visibleUser } from "../profiles/access.ts";
import { canReadAccount } from "../profiles/policy.ts";
import { siteFacts } from "../site/info.ts";
import { cardPath, wordsOfBlog } from "./card-routes.ts";
import { xmlText } from "./xml.ts";

/** A response, named as in oEmbed 1.0. */
type Embed = Record<string, string | number>;

interface Picture {
  path: string;
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
    if (format !== "json" && format !== "xml")
      return sendError(reply, 501, "The format must be json or xml.");
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
    void reply.header("cache-control", "public, max-age=0, must-revalidate");
    return format === "json"
      ? reply.type("application/json; charset=utf-8").send(JSON.stringify(embed))
      : reply.type("text/xml; charset=utf-8").send(asXml(embed));
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
  const thumbnail = (pictures: Picture[]): Embed => {
    const best = pictures.find(fits);
    return best
      ? {
          thumbnail_url: config.publicUrl + best.path,
          thumbnail_width: best.width,
          thumbnail_height: best.height,
        }
      : {};
  };
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
        blog.cover
          ? sizesOf(blog.cover)
          : [{ path: await cardPath(services, wordsOfBlog(blog)), ...cardSize }],
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
    ...thumbnail(avatar ? [{ path: avatar, width: 192, height: 192 }] : []),
  };
}

/** Returns a picture's files: the JPEG, which all programs can read, then the others, widest first. */
function sizesOf({
  id,
  width,
  height,
  widths,
}: {
  id: string;
  width: number;
  height: number;
  widths: number[];
}): Picture[] {
  const all = [
    { file: "full" as const, width },
    ...widths
      .filter((each) => each < width)
      .toReversed()
      .map((each) => ({ file: each, width: each })),
  ];
  const { src, ...jpegSize } = jpegOf({ id, width, height });
  return [
    { path: src, ...jpegSize },
    ...all.map((each) => ({
      path: picturePath(id, each.file),
      width: each.width,
      height: Math.round((height * each.width) / width),
    })),
  ];
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

const asXml = (embed: Embed): string =>
  `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${Object.entries(embed)
    .map(([name, value]) => `<${name}>${xmlText(String(value))}</${name}>`)
    .join("")}</oembed>\n`;
