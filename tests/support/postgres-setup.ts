import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

/** Starts PostgreSQL for the tests of a project, at the address that its environment names. */
export default async function setUp({ config }: TestProject): Promise<() => Promise<void>> {
  const { DATABASE_URL = "" } = config.env;
  return startPostgres(new URL(DATABASE_URL).searchParams.get("host") ?? "");
}
