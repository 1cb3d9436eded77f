import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder } from "../../support/import-folder.ts";
import { paint } from "../../support/pictures.ts";

const program = path.resolve(import.meta.dirname, "../../support/image-pool-program.ts");

test.for([
  ["an idle process is ended for a picture that is worked on alone", "idle"],
  ["a picture is too heavy and begins again in another process", "heavy"],
])("exits a program that does nothing else when %s", async ([, argument = ""]) => {
  await using folder = await createFolder({ picture: await paint(1_600, 1_200) });
  const result = await promisify(execFile)(process.execPath, [program, folder.folder, argument]).catch(
    (error: unknown) => error,
  );
  expect(result).toMatchObject({ stdout: "1600\n", stderr: "" });
});
