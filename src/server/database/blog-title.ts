import { sql } from "drizzle-orm";
import { jsonField } from "./dialect.ts";

/** The title of a draft without one. */
export const untitled = "Untitled";

/** The title of a row of `blogs` as those who can read the blog see it: an unpublished one has it in its draft. */
export const blogTitle = sql<string>`case when blogs.draft = 1 and blogs.takedown_reason is null
  then coalesce((select nullif(trim(${jsonField(sql`fields`, "title")}), '') from drafts where drafts.blog_id = blogs.id), ${sql.raw(`'${untitled}'`)})
  else blogs.title end`;
