import { expect } from "vitest";
import { refusal } from "./test-site.ts";

/** Expects a call to be refused with a code, or with all of these properties of the error. */
export async function expectRefusal(call: Promise<unknown>, expected: string | object): Promise<void> {
  expect(await refusal(call)).toMatchObject(typeof expected === "string" ? { code: expected } : expected);
}
