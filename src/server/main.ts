import { readConfig } from "./config.ts";
import { fail, serve } from "./serve.ts";

try {
  const config = readConfig(process.env);
  await serve(config, { dev: process.argv.includes("--dev") });
  process.stdout.write(`\n  ${config.siteName} is at ${config.publicUrl}\n\n`);
} catch (error) {
  fail(error);
}
