import { buildApp, type App } from "./app.ts";
import { asStartError } from "./database/start.ts";
import { hasClient } from "./pages/assets.ts";
import { keepAssets } from "./pages/kept-assets.ts";
import type { Config } from "./runtime/config.ts";

/** Serves the site until a signal. Exits with 1 and one line of error on failure. */
export async function serve(config: Config, options: { dev?: boolean } = {}) {
  let built: App | undefined;
  const endFor = async (damage: unknown) => {
    try {
      await built?.close();
    } finally {
      fail(damage);
    }
  };
  const app = await buildApp(config, {
    ...options,
    // Nothing must be written to a damaged database.
    onDamage: (damage) => void endFor(damage),
  }).catch((error: unknown) => {
    throw asStartError(error, config);
  });
  built = app;
  try {
    await app.server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    throw new Error(whyNotListening(config, error as NodeJS.ErrnoException), { cause: error });
  }
  if (!options.dev && hasClient())
    keepAssets(config.dataDir).catch((error: unknown) =>
      app.services.log.warn(
        { err: error },
        "the files of this version could not be stored: pages opened now may need a reload after the next upgrade",
      ),
    );
  let stoppingSince: number | undefined;
  const stop = (signal: string) => {
    // A process group and its launcher may both forward one Ctrl-C; a later one exits at once.
    if (stoppingSince !== undefined && Date.now() - stoppingSince < 1_000) return;
    if (stoppingSince !== undefined) process.exit(130);
    stoppingSince = Date.now();
    app.services.log.info({ signal }, "stopping");
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.services.log.error({ err: error }, "the server could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return app;
}

function whyNotListening({ host, port }: Config, { code = "", message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use. Stop the other program or set PORT to another port.`;
  if (code === "EACCES")
    return `This account may not use port ${port}. Set PORT to 1024 or more; a reverse proxy can forward port ${port} to it.`;
  return `HOST is ${host}, which is no address of this machine (${code || message}). Set it to 127.0.0.1 behind a proxy, or to 0.0.0.0 to listen everywhere.`;
}

export function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
