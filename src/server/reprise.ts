import { stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { ZodError } from "zod";
import { Email, Password, PersonName, Username } from "../shared/users.ts";
import { importMarkdown } from "./commands/import-markdown.ts";
import { jobsList, printedJobs, retryJobs } from "./commands/jobs.ts";
import { actingAs, openPartsForCommand } from "./commands/parts.ts";
import type { Parts } from "./context.ts";
import { examine } from "./database/examine.ts";
import { newSecret } from "./ids.ts";
import { renewEpoch } from "./live/outbox.ts";
import { fail } from "./serve.ts";
import { addAccount } from "./users/accounts.ts";
import { userByUsername } from "./users/queries.ts";

const usage = `Usage: npm run reprise -- COMMAND

  import markdown DIR --author USERNAME   blogs from a folder of Markdown, with the pictures beside them
  user add USERNAME --email ADDRESS [--name NAME] [--password PASSWORD] [--admin]
                                          an account whose address is taken as confirmed
  restored                                after an older copy of the data folder was put back: open pages start afresh
  jobs [--json]                           work that waits for the server or was given up, mails among it
  jobs retry ID|--all                     lets what was given up begin anew
  doctor                                  checks the store and counts again what lists show
`;

// Whoever reads the output may have read enough.
process.stdout.on("error", () => process.exit());
const say = (text: string) => process.stdout.write(`${text}\n`);

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      author: { type: "string" },
      email: { type: "string" },
      name: { type: "string" },
      password: { type: "string" },
      admin: { type: "boolean" },
      all: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, ...rest] = positionals;
  if (values.help || !command) return void say(usage);
  const action = {
    "import markdown": (parts: Parts) => runImport(parts, rest[1], values.author),
    "user add": (parts: Parts) => runUserAdd(parts, rest[1], values),
    jobs: async (parts: Parts) =>
      say(
        values.json
          ? JSON.stringify(await jobsList(parts, Date.now()), null, 2)
          : await printedJobs(parts, Date.now()),
      ),
    "jobs retry": async (parts: Parts) => {
      if (!rest[1] && !values.all) throw new Error("Please name a job, or say --all.");
      say(
        `${plural(await retryJobs(parts, values.all ? undefined : rest[1]), "job")} will be tried again by the server.`,
      );
    },
    doctor: (parts: Parts) => runDoctor(parts),
    restored: async (parts: Parts) => {
      await renewEpoch(parts.database, newSecret().slice(0, 10));
      say("Open pages will start afresh.");
    },
  }[[command, ...rest.slice(0, 1)].join(" ")];
  if (!action) throw new Error(`There is no command "${positionals.join(" ")}".\n\n${usage}`);
  const parts = await openPartsForCommand();
  try {
    await action(parts);
  } finally {
    await parts.workers.close();
    await parts.readers.close();
    parts.mailer.close();
    await parts.database.close();
  }
}

async function runImport(
  parts: Parts,
  folder: string | undefined,
  author: string | undefined,
): Promise<void> {
  if (!folder || !author)
    throw new Error(
      "Please name a folder and an author: npm run reprise -- import markdown DIR --author USERNAME",
    );
  const directory = path.resolve(folder);
  if (!(await stat(directory).catch(() => undefined))?.isDirectory())
    throw new Error(`There is no folder ${directory}.`);
  const user = await userByUsername(parts.database.read, author);
  if (!user)
    throw new Error(
      `There is no account with the username ${author}. Make one with: npm run reprise -- user add ${author} --email ADDRESS`,
    );

  const bar = process.stderr.isTTY
    ? new SingleBar(
        { format: "  {bar} {value}/{total}  {file}", hideCursor: true, clearOnComplete: true },
        Presets.shades_classic,
      )
    : undefined;
  bar?.start(1, 0, { file: "" });
  const summary = await importMarkdown(actingAs(parts, user), directory, {
    onProgress: (done, of, file) => {
      bar?.setTotal(of);
      bar?.update(done, { file });
    },
  });
  bar?.stop();

  say(
    `Imported ${plural(summary.imported, "blog")} with ${plural(summary.pictures, "picture")}, as ${user.username}, from ${plural(summary.found, "Markdown file")}.`,
  );
  if (summary.before > 0)
    say(
      `${plural(summary.before, "blog")} had been imported before and ${summary.before === 1 ? "was" : "were"} left as ${summary.before === 1 ? "it is" : "they are"}.`,
    );
  const list = (title: string, lines: { file: string; reason: string }[]) => {
    if (lines.length > 0)
      say(
        `\n${title}\n${lines.map(({ file, reason }) => `  ${printable(file)}: ${printable(reason)}`).join("\n")}`,
      );
  };
  list("Came in as drafts, for nobody but their author to read:", summary.drafts);
  list("Left out, being no posts:", summary.leftOut);
  list(
    "Could not be taken, or not as it was:",
    summary.problems.map(({ file, problem }) => ({ file, reason: problem })),
  );
  if (summary.imported === 0 && summary.before === 0) process.exitCode = 1;
}

async function runUserAdd(
  parts: Parts,
  username: string | undefined,
  given: { email?: string; name?: string; password?: string; admin?: boolean },
): Promise<void> {
  if (!username || !given.email)
    throw new Error("Please name the account: npm run reprise -- user add USERNAME --email ADDRESS");
  const password = given.password ?? newSecret().slice(0, 16);
  const account = await addAccount(parts, {
    username: Username.parse(username),
    email: Email.parse(given.email),
    name: PersonName.parse(given.name ?? username),
    password: Password.parse(password),
    ...(given.admin ? { isAdmin: true } : {}),
  });
  say(`Added ${account.username}.${given.password ? "" : ` The password is ${password}`}`);
}

async function runDoctor(parts: Parts): Promise<void> {
  const { integrity, brokenReferences, recounted } = await examine(parts.database);
  say(`Integrity: ${integrity.join("; ")}`);
  say(`Broken references: ${brokenReferences}`);
  for (const [column, rows] of Object.entries(recounted))
    say(`${column}: ${rows === 0 ? "right" : `${plural(rows, "row")} set right`}`);
  if (integrity[0] !== "ok" || brokenReferences > 0) process.exitCode = 1;
}

/** A file's name may have anything in it, what moves a terminal's cursor too. */
const printable = (text: string) => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "�");

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

try {
  await run();
} catch (error) {
  fail(error instanceof ZodError ? error.issues[0]?.message : error);
}
