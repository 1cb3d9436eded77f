import { documentToText } from "../../shared/document/to-text.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { forReaders } from "../../shared/document/signed-notes.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * Makes the whole text of a blog searchable. To index a long one takes seconds: this is for a worker, on a connection of
 * its own, which the writer waits for without holding the main thread.
 */
export function indexText(file: string, blogId: string): void {
  const sqlite = openSqlite(file, false);
  try {
    const find = sqlite.prepare<[string], { document: string; version: number }>(
      "select document, version from blogs where id = ?",
    );
    const blog = find.get(blogId);
    if (!blog) return;
    const text = documentToText(forReaders(JSON.parse(blog.document) as DocumentJson));
    // What was saved since has asked for this, too.
    sqlite
      .prepare("update blogs set text = ? where id = ? and version = ? and text <> ?")
      .run(text, blogId, blog.version, text);
  } finally {
    sqlite.close();
  }
}
