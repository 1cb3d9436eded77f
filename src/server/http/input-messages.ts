import { z } from "zod";
import { unknownFieldMessage } from "../../shared/errors.ts";

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Describes an invalid input, for schemas without a message. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  const name = issue.path?.join(".") || "The input";
  if (issue.input === undefined && issue.code !== "unrecognized_keys") return `${name} is missing.`;
  switch (issue.code) {
    case "invalid_type":
      return `${name} has to be ${kinds[issue.expected] ?? "of another type"}.`;
    case "invalid_value":
      return `${name} has to be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
    case "too_small":
      if (isLength(issue.origin) && issue.minimum === 1) return `${name} is empty.`;
      return `${name} ${isLength(issue.origin) ? "has" : "is"} at least ${sizeOf(issue.minimum, issue.origin)}.`;
    case "too_big":
      return `${name} ${isLength(issue.origin) ? "has" : "is"} at most ${sizeOf(issue.maximum, issue.origin)}.`;
    case "unrecognized_keys":
      return unknownFieldMessage(issue.keys[0] ?? "");
    default:
      return `${name} is not valid.`;
  }
}

const isLength = (origin: string): boolean => origin === "string" || origin === "array";

function sizeOf(size: number | bigint, origin: string): string {
  const unit = { string: " characters", array: " entries" }[origin] ?? "";
  return size.toLocaleString("en") + unit;
}

/** Returns which input an issue is about. */
export function fieldOf(issue: z.core.$ZodIssue | undefined): string | undefined {
  const name =
    issue?.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys[0] : issue?.path[0];
  return name === undefined ? undefined : String(name).slice(0, 100);
}

/* For all schemas: their messages reach people. */
z.config({ customError: messageOf });
