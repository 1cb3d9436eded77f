import { examine } from "../database/examine.ts";
import { command, plural } from "./command.ts";
import { withParts } from "./parts.ts";

export const commands = [
  command({
    name: "doctor",
    does: "Checks the store and counts again what lists show.",
    run: () =>
      withParts(async (parts) => {
        const findings = await examine(parts.database);
        const { integrity, brokenReferences, recounted } = findings;
        const counts = Object.entries(recounted).map(
          ([column, rows]) => `${column}: ${rows === 0 ? "right" : `${plural(rows, "row")} set right`}`,
        );
        return {
          lines: [`Integrity: ${integrity.join("; ")}`, `Broken references: ${brokenReferences}`, ...counts],
          json: findings,
          isWrong: integrity[0] !== "ok" || brokenReferences > 0,
        };
      }),
  }),
];
