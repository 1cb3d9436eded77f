import { documentToText } from "../../../shared/document/to-text.ts";
import type { DocumentJson } from "../../../shared/document/schema.ts";
import { withoutUnreferencedNotes } from "../../../shared/document/referenced-notes.ts";
import { openSqlite } from "./open.ts";

/**
 * Indexes a blog's whole text in SQLite, which can take seconds: for a worker thread. The writer waits for it without blocking the main
 * thread.
 */
export function indexText(file: string, blogId: string): void {
  const sqlite = openSqlite(file, false);
  try {
    const find = sqlite.prepare<[string], { document: string; etag: number }>(
      "select document, etag from blogs where id = ?",
    );
    const blog = find.get(blogId);
    if (!blog) return;
    const text = documentToText(withoutUnreferencedNotes(JSON.parse(blog.document) as DocumentJson));
    // A later save has requested this, too.
    sqlite
      .prepare("update blogs set text = ? where id = ? and etag = ? and text <> ?")
      .run(text, blogId, blog.etag, text);
  } finally {
    sqlite.close();
  }
}
