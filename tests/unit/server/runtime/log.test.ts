import { expect, test } from "vitest";
import { answerLog, loggableError, messageWithError } from "../../../../src/server/runtime/log.ts";

const secrets = [
  'Unknown "ana"',
  "open '/var/lib/reprise/media/ana.png'",
  "550 5.1.1 Nobody called ana here",
  "Failed query: insert into users values (?) params: ana",
  "connect ECONNREFUSED 203.0.113.9:25",
  "connect EHOSTUNREACH 2001:db8::7:25",
  "Hostname/IP does not match certificate's altnames: Host: ana. is not in the cert's altnames: DNS:example.org",
  "<ana@example.org> is not there",
  "ana@example.org is not there",
  "https://push.example.org/ana said no",
  "The key 3q2-7wAAAAB_ana_0000000 is old",
  "‘ana’ and “ana” and `ana`",
  '"ana',
];

test.each(secrets)("logs no personal data of an error: %s", (message) => {
  const loggedText = JSON.stringify(
    loggableError(new Error("It failed.", { cause: Object.assign(new Error(message), { to: "ana" }) })),
  );
  for (const secret of ["ana", "203.0.113", "2001:db8", "example.org", "3q2"])
    expect(loggedText).not.toContain(secret);
  expect(loggedText).toContain("It failed.");
  expect(loggedText).toContain("log.test.ts:");
});

test("quotes nothing that could not be parsed, and logs only the frames of an error of many lines", () => {
  const parse = () => JSON.parse('{"a": "b", ana') as unknown;
  expect(JSON.stringify(loggableError(caught(parse)))).not.toContain("ana");
  const logged = loggableError(new Error("one\n    at ana (/home/ana:1:1)\nthree"));
  expect(logged.stack).not.toContain("/home/ana");
  expect(logged.stack).toMatch(/^at .*log\.test\.ts:\d+:\d+/);
});

test("logs the call and the code of a system error, without its arguments", () => {
  const error = Object.assign(new Error("getaddrinfo ENOTFOUND ana.example"), {
    syscall: "getaddrinfo",
    code: "ENOTFOUND",
  });
  expect(loggableError(error)).toMatchObject({ message: "getaddrinfo ENOTFOUND", code: "ENOTFOUND" });
});

test("logs the type, message, code and cause of an error that are not personal", () => {
  const cause = Object.assign(new Error("UNIQUE constraint failed: users.email"), {
    code: "SQLITE_CONSTRAINT",
  });
  expect(loggableError(new TypeError("a write was undone", { cause }))).toMatchObject({
    type: "TypeError",
    message: "a write was undone",
    cause: { message: "UNIQUE constraint failed: users.email", code: "SQLITE_CONSTRAINT" },
  });
  expect(loggableError("ana")).toEqual({ type: "string", message: "…", stack: "" });
});

test("always logs slow and refused responses, and samples the others", () => {
  const lines: object[] = [];
  const logLine = (line: object) => void lines.push(line);
  const request = { log: { info: logLine, warn: logLine } } as never;
  const log = answerLog({ sample: 1_000, addresses: false }, () => "GET /x");
  const answer = (statusCode: number, ms: number, headersSent = true) =>
    log(request, { raw: { statusCode, headersSent } } as never, ms);
  for (let time = 0; time < 2_001; time++) answer(200, 3);
  answer(304, 3);
  answer(404, 3);
  expect(lines).toEqual(
    Array.from({ length: 3 }, () => ({ call: "GET /x", status: 200, ms: 3, oneOf: 1_000 })),
  );
  lines.length = 0;
  answer(200, 1_500);
  answer(404, 1_500);
  for (const status of [400, 401, 403, 409, 413, 429, 500, 503]) answer(status, 3);
  answer(200, 3, false);
  expect(lines.map((line) => (line as { status: number }).status)).toEqual([
    200, 404, 400, 401, 403, 409, 413, 429, 500, 503, 499,
  ]);
});

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test("shows an error with its causes in one line for people, with where it was thrown", () => {
  const err = loggableError(new Error("It failed.", { cause: new TypeError("No owls") }));
  const line = messageWithError({ msg: "the page failed", err });
  expect(line).toMatch(
    /^the page failed: Error: It failed\. at .*log\.test\.ts:[\d:]+\)?: TypeError: No owls at .*log\.test\.ts:[\d:]+\)?$/,
  );
  expect(line).not.toMatch(/[\n{]/);
  expect(messageWithError({ msg: "stopping" })).toBe("stopping");
});
