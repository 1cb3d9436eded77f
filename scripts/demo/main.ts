import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../src/server/config.ts";
import { fail, serve } from "../../src/server/serve.ts";
import { buildTown, password } from "./build-town.ts";
import { people } from "./town.ts";
import { liveOn } from "./town-life.ts";

/** Serves a town of invented people over a folder that goes when the demo ends. */
const folder = mkdtempSync(path.join(tmpdir(), "reprise-demo-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

try {
  const samples = people
    .filter((person) => person.sample)
    .map(({ name, email, admin }) => ({ name: admin ? `${name}, administrator` : name, email, password }));
  const config = {
    ...readConfig({ LOG_LEVEL: "warn", RATE_LIMIT: "off", ...process.env, DATA_DIR: folder }),
    samples,
  };
  process.stdout.write("\n  Building the demo town …\n");
  const { parts } = await serve(config);
  const announce = () =>
    process.stdout.write(
      `\n  ${config.siteName} is at ${config.publicUrl}\n  Sign in as ${samples.map(({ email }) => email).join(" or ")} (who runs it) with the password "${password}".\n  Everything is gone when you stop it with Ctrl-C.\n\n`,
    );
  await buildTown(parts, (town) => {
    announce();
    liveOn(town, (error) => parts.log.error({ err: error }, "somebody in the demo town stumbled"));
  });
} catch (error) {
  fail(error);
}
