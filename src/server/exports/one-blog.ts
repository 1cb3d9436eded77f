import type { DocumentJson } from "../../shared/document/schema.ts";
import { forReaders } from "../../shared/document/signed-notes.ts";
import { countedAs } from "../auth/limits.ts";
import { blogStanding } from "../blogs/access.ts";
import { canWriteBlog } from "../blogs/policy.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { markdownOf } from "./by-worker.ts";
import { blogPage, withFrontMatter } from "./reading.ts";
import { exportRows } from "./rows.ts";

/** To prepare them all takes longer than to ask one. */
const kept = new WeakMap<Connection, ReturnType<typeof exportRows>>();

/** One blog as Markdown with front matter, or as a page, its pictures by their whole addresses. The right to it was asked before. */
export async function blogAs(ctx: Context, facts: BlogFacts, kind: "md" | "html"): Promise<string> {
  const { id } = facts;
  const { read } = ctx.database;
  const rows = kept.get(read) ?? exportRows(read, { account: null });
  kept.set(read, rows);
  const [blog, text] = [await rows.blog(id), await rows.text(id)];
  if (!blog || !text) return "";
  const origin = ctx.config.publicUrl;
  const cover = blog.cover && `${origin}/${blog.cover.replace(/\.webp$/, "/full.webp")}`;
  if (kind === "html") {
    const html = text.html
      .replace(/ (?:srcset|sizes)="[^"]*"/g, "")
      .replaceAll(' src="/media/', ` src="${origin}/media/`);
    return blogPage(blog, html, { cover, list: null });
  }
  const who = ctx.viewer?.id ?? countedAs(ctx.address);
  const whole = (src: string) => (src.startsWith("/") ? origin + src : src);
  const isWriter = canWriteBlog(blogStanding(ctx.viewer, facts));
  const document = isWriter ? text.document : asRead(text.document);
  const markdown = await markdownOf(ctx.workers, document, whole, { who, origin });
  return withFrontMatter(blog, markdown, cover);
}

/** A stored document without what is its writers' alone. */
const asRead = (document: string): string =>
  document.includes('"footnotes"')
    ? JSON.stringify(forReaders(JSON.parse(document) as DocumentJson))
    : document;
