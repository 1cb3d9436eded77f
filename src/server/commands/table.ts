import type { Command } from "./command.ts";

/** Every command, by its first word; each file is loaded when it is called, or when all are listed. */
const files: Record<string, () => Promise<{ commands: Command[] }>> = {
  import: () => import("./import.ts"),
  export: () => import("./export.ts"),
  user: () => import("./user.ts"),
  blog: () => import("./content.ts"),
  comment: () => import("./content.ts"),
  "signup-blocks": () => import("./signup-blocks.ts"),
  strangers: () => import("./signup-blocks.ts"),
  jobs: () => import("./jobs.ts"),
  site: () => import("./site.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./backup.ts"),
  "after-restore": () => import("./backup.ts"),
  restored: () => import("./backup.ts"),
  doctor: () => import("./doctor.ts"),
  media: () => import("./doctor.ts"),
  rebuild: () => import("./doctor.ts"),
};

/** The command that these words begin with, the longest name first. */
export async function findCommand(words: string[]): Promise<Command | undefined> {
  const known = Object.hasOwn(files, words[0] ?? "") ? await files[words[0] ?? ""]?.() : undefined;
  return known?.commands
    .flatMap((one) => [one, ...(one.formerly ? [{ ...one, name: one.formerly }] : [])])
    .toSorted((one, other) => other.name.length - one.name.length)
    .find(({ name }) => name.split(" ").every((word, at) => word === words[at]));
}

/** How one command is called. */
export const usageOf = ({ name, takes }: Command): string =>
  `npm run reprise -- ${[name, takes].filter(Boolean).join(" ")}`;

/** All of them, with what they do; those that begin with a word, where one is given. */
export async function usage(first?: string): Promise<string> {
  const loaded = new Set(await Promise.all(Object.values(files).map((load) => load())));
  const shown = [...loaded].flatMap(({ commands }) => commands);
  const some = shown.filter(({ name }) => name.split(" ")[0] === first);
  const lines = (some.length > 0 ? some : shown).map(
    ({ name, takes, does }) => `  ${[name, takes].filter(Boolean).join(" ")}\n      ${does}`,
  );
  return `Usage: npm run reprise -- COMMAND\n\n${lines.join("\n")}\n
With --json each answers one JSON value. The exit code is 0, 1 where something is wrong or did not work, or 2 where the
command was not understood.`;
}
