import { type ParseArgsOptionDescriptor } from "node:util";

type Options = Record<string, Pick<ParseArgsOptionDescriptor, "type" | "short">>;
type Values<Taken extends Options> = {
  [Name in keyof Taken]?: Taken[Name]["type"] extends "boolean" ? boolean : string;
};

/** A command's arguments, and how a long one reports progress. */
export interface CommandInput<Taken extends Options = Options> {
  words: string[];
  options: Values<Taken>;
  /** Only on a terminal. */
  progress: (done: number, of: number, what: string) => void;
  /** Aborted by Ctrl-C or SIGTERM; a command that calls this must then clean up and throw. */
  signal: () => AbortSignal;
}

/** A command's output: lines for people, or `--json`. */
export interface CommandOutput {
  lines: string | string[];
  json: unknown;
  /** The exit code is 1: something could not be repaired. */
  hasProblems?: boolean;
}

/** A command of `npm run reprise --`. */
export interface Command<Taken extends Options = Options> {
  /** Such as `user add`. */
  name: string;
  /** The arguments, for the usage. */
  takes?: string;
  description: string;
  /** The least and most arguments; by default none. */
  words?: readonly [least: number, most: number];
  options?: Taken;
  /** Run by the server only, and not in the usage. */
  isInternal?: true;
  run: (input: CommandInput<Taken>) => Promise<CommandOutput>;
}

/** Infers the types of `options` for `run`. */
export const command = <const Taken extends Options>(definition: Command<Taken>): Command =>
  definition as unknown as Command;

/** Invalid arguments: exit code 2. */
export class UsageError extends Error {}

/** Names can contain control characters, which could move the cursor. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "�");

export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

export function table(headings: string[], rows: string[][]): string[] {
  const all = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  const padded = (cell: string, column: number) =>
    cell + " ".repeat((widths[column] ?? 0) - [...cell].length);
  return all.map((row) => row.map(padded).join("  ").trimEnd());
}
