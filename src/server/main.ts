import { misspeltSettings, readConfig, type Config } from "./runtime/config.ts";
import type { Services } from "./context.ts";
import { setUpLink } from "./sign-in/set-up.ts";
import { fail, serve } from "./serve.ts";
import { hasNoVerifiedUser } from "./profiles/queries.ts";

try {
  const config = readConfig(process.env);
  const { services } = await serve(config, { dev: process.argv.includes("--dev") });
  for (const [name, setting] of misspeltSettings(process.env))
    services.log.warn({ name, setting }, `there is no setting ${name}: did you mean ${setting}?`);
  const lines = [`${config.siteName} is at ${config.publicUrl}`, ...(await firstSteps(config, services))];
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join("")}\n`);
} catch (error) {
  fail(error);
}

/** Returns the next steps on a site without accounts. */
async function firstSteps(config: Config, { database }: Services): Promise<string[]> {
  if (!(await hasNoVerifiedUser(database.read))) return [];
  const { publicUrl, smtpUrl, outboxDir, logsMailLinks } = config;
  const link = await setUpLink(config);
  if (link)
    return [
      "It isn’t set up yet. Open this link to create the administrator’s account:",
      link,
      `It works once, and is also in ${config.dataDir}/setup-link. Keep it to yourself.`,
    ];
  const mails = logsMailLinks
    ? `No mail server is set, so emails are stored in ${outboxDir}, and their links appear here.`
    : `No mail server is set, so emails are stored in ${outboxDir}.`;
  return [
    `Nobody has an account yet. The first one, made at ${publicUrl}/signup, runs the site.`,
    ...(smtpUrl === undefined ? [mails] : []),
  ];
}
