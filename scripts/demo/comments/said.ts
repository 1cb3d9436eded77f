/** A comment with the answers below it, oldest first. */
export interface DemoReply {
  author: string;
  text: string;
  replies?: DemoReply[];
  /** Usernames, none of them the author. */
  likedBy?: string[];
}

/** The comments of one theme's blogs, by the blog's title. */
export type Threads = Record<string, DemoReply[]>;

/** One comment, short to write down: `said("mina", "Bruckner!", [said("gethin", "Who?")], ["solveig"])`. */
export function said(
  author: string,
  text: string,
  replies: DemoReply[] = [],
  likedBy: string[] = [],
): DemoReply {
  return { author, text, replies, likedBy };
}
