import { type ParseArgsOptionDescriptor } from "node:util";

type Options = Record<string, Pick<ParseArgsOptionDescriptor, "type" | "short">>;
type Values<Taken extends Options> = {
  [Name in keyof Taken]?: Taken[Name]["type"] extends "boolean" ? boolean : string;
};

/** What was said at the command line, and what a long command tells meanwhile. */
export interface Asked<Taken extends Options = Options> {
  words: string[];
  options: Values<Taken>;
  /** How far it is, for whoever looks on: on a terminal alone. */
  progress: (done: number, of: number, what: string) => void;
  /** Aborted by Ctrl-C or SIGTERM: whoever asks for it clears up what is begun and throws. */
  signal: () => AbortSignal;
}

/** What a command answers: lines for people, or with `--json` the same for programs. */
export interface Said {
  lines: string | string[];
  json: unknown;
  /** Something is wrong that it could not mend: the exit code is 1. */
  isWrong?: boolean;
}

/** A command of `npm run reprise --`. */
export interface Command<Taken extends Options = Options> {
  /** Its first words, as `user add`. */
  name: string;
  /** What it was called before, which still works for one release. */
  formerly?: string;
  /** What comes behind them, as the usage says it. */
  takes?: string;
  does: string;
  /** How many words may come behind its name, at least and at most; none unless said. */
  words?: readonly [least: number, most: number];
  options?: Taken;
  run: (asked: Asked<Taken>) => Promise<Said>;
}

/** Keeps the types of a command's options for its `run`. */
export const command = <const Taken extends Options>(described: Command<Taken>): Command =>
  described as unknown as Command;

/** The command was called in a way that it does not know: exit code 2. */
export class Misused extends Error {}

/** A name may have anything in it, what moves a terminal's cursor too. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "�");

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Rows under their headings, each column as wide as it needs. */
export function table(headings: string[], rows: string[][]): string[] {
  const all = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, at) => Math.max(...all.map((row) => [...(row[at] ?? "")].length)));
  const padded = (cell: string, at: number) => cell + " ".repeat((widths[at] ?? 0) - [...cell].length);
  return all.map((row) => row.map(padded).join("  ").trimEnd());
}
