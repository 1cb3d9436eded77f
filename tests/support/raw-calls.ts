import { sql } from "drizzle-orm";
import { execute } from "../../src/server/database/connection.ts";
import { comments } from "../../src/server/database/schema/comments.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { password, type SignedInBrowser } from "./browser.ts";
import { aBlog } from "./sample-content.ts";
import { besideServer } from "./second-database.ts";

/** Rows of one statement. */
const batch = 500;

/** Sends bodies byte by byte that no client would send. */
export async function rawCalls(url: string, who: SignedInBrowser) {
  const answerOf = async (promise: Promise<Response>) => {
    const response = await promise;
    return { status: response.status, body: await response.text() };
  };
  const signedIn = await answerOf(
    fetch(`${url}/api/v1/signin`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: who.email, password }),
    }),
  );
  const { token } = (JSON.parse(signedIn.body) as { user: { token: string } }).user;
  const rest = (method: string, address: string, body?: BodyInit, type = "application/json") =>
    answerOf(
      fetch(`${url}/api/v1${address}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": type }),
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
  const trpc = (procedure: string, body: string) =>
    answerOf(
      who.fetch(`/trpc/${procedure}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      }),
    );
  return {
    token,
    rest,
    /** Publishes by the multipart form with the boundary `x`. */
    form: (body: string) => rest("POST", "/blogs", body, "multipart/form-data; boundary=x"),
    trpc,
    /** Publishes as the editor does. The document is text, so that a client's work on an object is not measured. */
    create: (document: string, change: Record<string, unknown> = {}) =>
      trpc(
        "blogs.create",
        JSON.stringify(aBlog({ ...change, document: 0 })).replace(
          '"document":0',
          () => `"document":${document}`,
        ),
      ),
  };
}
export type RawCalls = Awaited<ReturnType<typeof rawCalls>>;

/**
 * Inserts comments past the limits, beside the server: one thread with this number of replies, and comments beside it. Returns
 * the thread's root.
 */
export async function insertThread(
  { dataDir, who, blogId }: { dataDir: string; who: SignedInBrowser; blogId: string },
  { replies, beside = 0, text }: { replies: number; beside?: number; text: string },
): Promise<string> {
  const root = newId();
  const total = 1 + replies + beside;
  const rows = Array.from({ length: total }, (_, index) => {
    const id = index === 0 ? root : newId();
    const isReply = index > 0 && index <= replies;
    const place = isReply ? { parentId: root, rootId: root } : { rootId: id };
    return { id, blogId, ...place, authorId: who.me.id, text, createdAt: Date.now() - total + index };
  });
  await besideServer(dataDir, async ({ write }) => {
    for (let at = 0; at < total; at += batch)
      await write(async (tx) => {
        await tx.drizzle.insert(comments).values(rows.slice(at, at + batch));
      });
    await write((tx) =>
      execute(tx, sql`update blogs set comments_count = comments_count + ${total} where id = ${blogId}`),
    );
  });
  return root;
}
