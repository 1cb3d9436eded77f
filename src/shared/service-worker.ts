/** From a page to the service worker (src/client/worker). */
export type WorkerMessage =
  /** The article at this path was opened. */
  | { kind: "read"; path: string }
  /** The viewer's public session handle, or null for a guest. */
  | { kind: "session"; session: string | null }
  /** Back online: delete cached articles that can no longer be read. */
  | { kind: "online" }
  /** Delete all cached articles. */
  | { kind: "forget" };

/** The build's settings, which the server writes before the script. */
export interface WorkerBuild {
  name: string;
  /** The administrators' style sheets, and the offline page's. */
  sheets: string[];
  script: string;
  /** Code that an open article may load. */
  shell: string[];
}

/** Header with the public session handle of a page's viewer; empty for a guest. */
export const sessionHeader = "x-session";

/** From the worker to an open page: the viewer opened a notification. */
export interface GoToMessage {
  kind: "go-to";
  url: string;
}
