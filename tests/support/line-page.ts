import { createBrowserClient } from "../../src/client/app/links.ts";
import { connection } from "../../src/client/api/connection.ts";

// What it keeps and is called by is declared where it is used: tests/browser/transports.spec.ts.
window.heard = [];
window.states = [];
connection.subscribe(() => window.states.push(connection.state));
const { line } = createBrowserClient();
window.followBlog = (id) => {
  let since: string | undefined;
  line.follow(() => ({ topics: [`blog:${id}`], since }), {
    onTold({ cursor, event }) {
      since = cursor;
      window.heard.push(event.kind === "comment.created" ? event.comment.text : event.kind);
    },
    onUnauthorized: () => undefined,
  });
};
