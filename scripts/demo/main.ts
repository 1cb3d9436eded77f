import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../src/server/runtime/config.ts";
import { AppError } from "../../src/shared/errors.ts";
import { fail, serve } from "../../src/server/serve.ts";
import { buildDemoSite, password } from "./build-demo-site.ts";
import { blogs, people } from "./demo-data.ts";
import { startDemoActivity } from "./demo-activity.ts";
import { tellSecondHalf } from "./match.ts";

/** Serves invented people's blogs from a temporary folder, which is deleted when the demo ends. */
const folder = mkdtempSync(path.join(tmpdir(), "reprise-demo-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

try {
  const samples = people
    .filter((person) => person.sample)
    .map(({ name, email, admin, moderator }) => ({
      name: `${name}${admin ? ", administrator" : moderator ? ", moderator" : ""}`,
      email,
      password,
    }));
  const config = {
    ...readConfig({
      LOG_LEVEL: "error",
      LOG_FORMAT: "pretty",
      RATE_LIMIT: "off",
      ...process.env,
      DATA_DIR: folder,
    }),
    samples,
  };
  const print = (...lines: string[]) => process.stdout.write(lines.map((line) => `  ${line}\n`).join(""));
  print("", "Starting the demo…");
  const { services, server } = await serve(config);
  await server.inject("/");
  print(
    `${config.siteName} is at ${config.publicUrl}`,
    "People are moving in: blogs, comments and likes appear while you watch.",
  );
  await buildDemoSite(services, {
    onPeople: () =>
      print(
        `Sign in with the password "${password}" as:`,
        ...samples.map(({ name, email }) => `  ${email} (${name})`),
      ),
    onFirstBlogs: (site) => {
      const onError = (error: unknown) => {
        // Visitors may have deleted what a person was about to comment on.
        if (error instanceof AppError) return;
        services.log.error(`somebody in the demo stumbled: ${messageOf(error)}`);
      };
      startDemoActivity(site, onError);
      void tellSecondHalf(site, onError);
    },
  });
  print(
    `The demo is complete, with ${people.length} people and ${blogs.length} blogs. They go on commenting and liking.`,
    "Everything is gone when you stop it with Ctrl-C.",
    "",
  );
} catch (error) {
  fail(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
