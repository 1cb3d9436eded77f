import type { Command } from "./command.ts";

/** All commands by first word; files are loaded when needed. */
const files: Record<string, () => Promise<{ commands: Command[] }>> = {
  import: () => import("./import.ts"),
  export: () => import("./export.ts"),
  user: () => import("./user.ts"),
  jobs: () => import("./jobs.ts"),
  mail: () => import("./mail.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./backup.ts"),
  "after-restore": () => import("./backup.ts"),
  "move-to-postgres": () => import("./move.ts"),
  "move-to-sqlite": () => import("./move.ts"),
  doctor: () => import("./doctor.ts"),
  rebuild: () => import("./doctor.ts"),
};

/** Returns the command with the longest matching name. */
export async function findCommand(words: string[]): Promise<Command | undefined> {
  const group = Object.hasOwn(files, words[0] ?? "") ? await files[words[0] ?? ""]?.() : undefined;
  return group?.commands
    .toSorted((one, other) => other.name.length - one.name.length)
    .find(({ name }) => name.split(" ").every((word, index) => word === words[index]));
}

export const usageOf = ({ name, takes }: Command): string =>
  `npm run reprise -- ${[name, takes].filter(Boolean).join(" ")}`;

/** Returns the usage of all commands, or those that begin with `first`. */
export async function usage(first?: string): Promise<string> {
  const loaded = new Set(await Promise.all(Object.values(files).map((load) => load())));
  const all = [...loaded].flatMap(({ commands }) => commands).filter(({ isInternal }) => !isInternal);
  const matching = all.filter(({ name }) => name.split(" ")[0] === first);
  const lines = (matching.length > 0 ? matching : all).map(
    ({ name, takes, description }) => `  ${[name, takes].filter(Boolean).join(" ")}\n      ${description}`,
  );
  return `Usage: npm run reprise -- COMMAND\n\n${lines.join("\n")}\n
With --json each command prints one JSON value. The exit code is 0 for success, 1 if a command failed or found a problem, or 2
if the command was not understood. --version prints the version.`;
}
