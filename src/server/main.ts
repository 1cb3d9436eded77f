import { readConfig, type Config } from "./config.ts";
import type { Parts } from "./context.ts";
import { fail, serve } from "./serve.ts";
import { hasNoVerifiedUser } from "./users/queries.ts";

try {
  const config = readConfig(process.env);
  const { parts } = await serve(config, { dev: process.argv.includes("--dev") });
  const lines = [`${config.siteName} is at ${config.publicUrl}`, ...(await firstSteps(config, parts))];
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join("")}\n`);
} catch (error) {
  fail(error);
}

/** What to do next at a site where nobody has an account, line by line. */
async function firstSteps({ publicUrl, smtpUrl, outboxDir }: Config, { database }: Parts): Promise<string[]> {
  if (!(await hasNoVerifiedUser(database.read))) return [];
  const mails = process.stdout.isTTY
    ? `No mail server is set, so emails are stored in ${outboxDir}, and their links appear here.`
    : `No mail server is set, so emails are stored in ${outboxDir}.`;
  return [
    `Nobody has an account yet. The first one, made at ${publicUrl}/signup, runs the site.`,
    ...(smtpUrl === undefined ? [mails] : []),
  ];
}
