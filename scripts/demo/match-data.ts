import path from "node:path";
import { projectRoot } from "../../src/server/runtime/project-root.ts";
import { parseLine, readYaml, type DemoLine, type WrittenLine } from "./demo-data.ts";

/* The demo's live blog, from the folder site/match: a football match. */

/** An entry of the live blog. */
export interface MatchMoment {
  author: string;
  title: string;
  /** Markdown; pictures are relative to `matchFolder`. */
  text: string;
  isKey: boolean;
  /** Minutes since kick-off. */
  minutes: number;
  /** The summary from then on, if it changes. */
  summary: string[] | undefined;
  /** What people say under the blog after it. */
  said: DemoLine[];
}

export const matchFolder = path.join(projectRoot, "scripts/demo/site/match");

/** The title of the live blog. */
export const matchTitle = "Llanfedwen v Abercoed, minute by minute";
export const matchOwner = "gethin";
export const matchCoAuthor = "ciaran";

interface WrittenMoment {
  at?: string | number;
  title?: string;
  key?: true;
  summary?: string[];
  said?: WrittenLine[];
  [author: string]: unknown;
}

/** Minutes from a moment to one that has no minute. */
const gap = 3;

/** Returns moments in order; `before` is the time before the first, in minutes since kick-off. */
function momentsIn(file: string, before: number): MatchMoment[] {
  let minutes = before;
  return (readYaml(file) as WrittenMoment[]).map((written) => {
    const { at, title = "", key = false, summary, said = [], ...told } = written;
    const [author = "", text = ""] = Object.entries(told as Record<string, string>)[0] ?? [];
    // "45+2" is two minutes after the end of a half.
    minutes =
      at === undefined
        ? minutes + gap
        : String(at)
            .split("+")
            .reduce((sum, part) => sum + Number(part), 0);
    const minute = at === undefined ? "" : `${at}′`;
    return {
      author,
      title: title && `${minute} ${title}`.trim(),
      text: title || !minute ? text : `**${minute}** ${text}`,
      isKey: key,
      minutes,
      summary,
      said: said.map((line) => parseLine(line)),
    };
  });
}

/** What is told before a visitor comes, and what is told while they watch. */
export const firstHalf = momentsIn("match/first-half.yaml", -15);
export const secondHalf = momentsIn("match/second-half.yaml", firstHalf.at(-1)?.minutes ?? 0);
