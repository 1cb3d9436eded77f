import { createBrowserClient } from "../../src/client/app/browser-client.ts";
import { connectionStatus } from "../../src/client/api/connection-status.ts";

// The globals are declared in tests/browser/transports.spec.ts.
window.heard = [];
window.states = [];
connectionStatus.subscribe(() => window.states.push(connectionStatus.state));
const { connection } = createBrowserClient();
window.followBlog = (id) => {
  let since: string | undefined;
  connection.follow(() => ({ topics: [`blog:${id}`], since }), {
    onMessage({ cursor, event }) {
      since = cursor;
      window.heard.push(event.kind === "comment.created" ? event.comment.text : event.kind);
    },
    onStart: () => undefined,
    onUnauthorized: () => undefined,
  });
};
