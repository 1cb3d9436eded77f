import { checkUpload, importUpload } from "../imports/import-upload.ts";
import { command } from "./command.ts";
import { withServices } from "./services.ts";

/* What the server runs for an upload, in a process of its own that ends with it. */

/** Ends this process when the server is gone. What was imported is known: another run continues. */
function endWithServer(): void {
  process.once("disconnect", () => process.exit(1));
  // The listener alone would keep it running.
  process.channel?.unref();
}

export const commands = [
  command({
    name: "import run",
    takes: "ID FILE",
    description: "Imports an upload.",
    isInternal: true,
    words: [2, 2],
    run: ({ words: [runId = "", file = ""], signal }) => {
      endWithServer();
      return withServices(async (services) => {
        await importUpload(
          services,
          { runId, file },
          { signal: signal(), onProgress: (done) => process.send?.(done) },
        );
        return { lines: [], json: {} };
      });
    },
  }),
  command({
    name: "import check",
    takes: "KIND FILE [--name=NAME]",
    description: "Checks whether a file can be imported.",
    isInternal: true,
    words: [2, 2],
    options: { name: { type: "string" } },
    run: async ({ words: [kind = "", file = ""], options: { name } }) => {
      endWithServer();
      const checked = await checkUpload(kind, file, name);
      return { lines: checked.problem ?? checked.detected ?? "unknown", json: checked };
    },
  }),
];
