import path from "node:path";
import Sqlite from "better-sqlite3";
import { newId } from "../../src/server/runtime/ids.ts";
import { password, type SignedInBrowser } from "./browser.ts";
import { aBlog } from "./sample-content.ts";

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
export function insertThread(
  { dataDir, who, blogId }: { dataDir: string; who: SignedInBrowser; blogId: string },
  { replies, beside = 0, text }: { replies: number; beside?: number; text: string },
): string {
  const store = new Sqlite(path.join(dataDir, "reprise.db"), { timeout: 10_000 });
  const add = store.prepare(
    "insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at) values (?, ?, ?, ?, ?, ?, ?)",
  );
  const root = newId();
  const total = 1 + replies + beside;
  store.transaction(() => {
    for (let index = 0; index < total; index++) {
      const id = index === 0 ? root : newId();
      const isReply = index > 0 && index <= replies;
      const [parent, thread] = isReply ? [root, root] : [null, id];
      add.run(id, blogId, parent, thread, who.me.id, text, Date.now() - total + index);
    }
    store.prepare("update blogs set comments_count = comments_count + ? where id = ?").run(total, blogId);
  })();
  store.close();
  return root;
}
