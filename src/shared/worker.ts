/** What a page tells the site's worker (src/client/worker). */
export type WorkerMessage =
  /** Somebody reads the article at this path. */
  | { kind: "read"; path: string }
  /** Whose browser this is from now on: the public handle of their session, or null for a guest. */
  | { kind: "session"; session: string | null }
  /** The network is back: what may be read no more is to go. */
  | { kind: "online" }
  /** Nothing is to be kept of what was read so far. */
  | { kind: "forget" };

/** What the build tells the worker; the server writes it before the script. */
export interface WorkerBuild {
  /** The site's name. */
  name: string;
  /** The site's own sheets, and what a page that is shown without a network has besides. */
  sheets: string[];
  script: string;
  /** The code that an article may need once it is open. */
  shell: string[];
}

/** Says in the answer of a page whose it is: the public handle of a session; nothing for a guest. */
export const sessionHeader = "x-session";

/** What the worker says to an open page: a notification was followed to an address. */
export interface GoTo {
  kind: "go-to";
  url: string;
}
