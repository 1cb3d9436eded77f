import { stat } from "node:fs/promises";
import path from "node:path";
import { userByUsername } from "../users/queries.ts";
import { command, plural, printable } from "./command.ts";
import { importMarkdown } from "./import-markdown.ts";
import { actingAs, withParts } from "./parts.ts";

export const commands = [
  command({
    name: "import markdown",
    takes: "DIR --author USERNAME",
    does: "Blogs from a folder of Markdown, with the pictures beside them.",
    words: [1, 1],
    options: { author: { type: "string" } },
    run: ({ words: [folder = ""], options: { author }, progress }) =>
      withParts(async (parts) => {
        if (author === undefined)
          throw new Error("Please name an author: npm run reprise -- import markdown DIR --author USERNAME");
        const directory = path.resolve(folder);
        if (!(await stat(directory).catch(() => undefined))?.isDirectory())
          throw new Error(`There is no folder ${directory}.`);
        const user = await userByUsername(parts.database.read, author);
        if (!user)
          throw new Error(
            `There is no account with the username ${author}. Make one with: npm run reprise -- user add ${author} --email ADDRESS`,
          );
        const summary = await importMarkdown(actingAs(parts, user), directory, { onProgress: progress });
        const isNothing = summary.imported === 0 && summary.before === 0;
        return { lines: linesOf(summary, user.username), json: summary, isWrong: isNothing };
      }),
  }),
];

function linesOf(summary: Awaited<ReturnType<typeof importMarkdown>>, username: string): string[] {
  const { imported, pictures, found, before } = summary;
  const list = (title: string, files: { file: string; reason: string }[]) =>
    files.length === 0
      ? []
      : ["", title, ...files.map(({ file, reason }) => `  ${printable(file)}: ${printable(reason)}`)];
  return [
    `Imported ${plural(imported, "blog")} with ${plural(pictures, "picture")}, as ${username}, from ${plural(found, "Markdown file")}.`,
    ...(before > 0
      ? [
          `${plural(before, "blog")} had been imported before and ${before === 1 ? "was left as it is" : "were left as they are"}.`,
        ]
      : []),
    ...list("Came in as drafts, for nobody but their author to read:", summary.drafts),
    ...list("Left out, being no posts:", summary.leftOut),
    ...list(
      "Could not be taken, or not as it was:",
      summary.problems.map(({ file, problem }) => ({ file, reason: problem })),
    ),
  ];
}
