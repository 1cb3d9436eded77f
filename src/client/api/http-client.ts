import { mostCalls } from "../../shared/answer.ts";
import { fetchInTime } from "./fetch-in-time.ts";
import { named } from "./named.ts";
import type { Client } from "./trpc.ts";

interface Call {
  path: string;
  input: unknown;
  resolve: (answer: unknown) => void;
  reject: (error: Failure) => void;
}

interface Answer {
  result?: { data: unknown };
  error?: { message: string; data?: unknown };
}

/** A call that was refused: `data` is what the server says of it, and missing where no answer came. */
class Failure extends Error {
  // What tRPC's own client says, whose errors the tests and the light clients know.
  override readonly name = "TRPCClientError";
  readonly data: unknown;

  constructor(message: string, data?: unknown, cause?: unknown) {
    super(message, { cause });
    this.data = data;
  }
}

let account = "";

/** Says as whom changes are made from now on: the server makes none for anybody else, whoever the browser's session is of by then. */
export const actAs = (userId: string): void => void (account = userId);

/**
 * Speaks tRPC's protocol over HTTP: the calls of one turn go together. tRPC's own client does it too, by links and
 * observables that a page has no other use for. `onAnswered` hears that the server answers.
 */
export function createHttpClient(onAnswered: () => void): Client {
  const waiting: Record<string, Call[]> = { query: [], mutate: [] };
  return named(
    (path, act, input) =>
      new Promise((resolve, reject) => {
        const calls = waiting[act]!;
        if (calls.push({ path: path.join("."), input, resolve, reject }) > 1) return;
        setTimeout(() => {
          while (calls.length > 0) void send(act, calls.splice(0, mostCalls), onAnswered);
        });
      }),
  ) as Client;
}

async function send(act: string, calls: Call[], onAnswered: () => void): Promise<void> {
  const inputs = JSON.stringify(Object.fromEntries(calls.map(({ input }, index) => [index, input])));
  const address = `/trpc/${calls.map(({ path }) => path).join(",")}?batch=1`;
  try {
    const response =
      act === "query"
        ? await fetchInTime(`${address}&input=${encodeURIComponent(inputs)}`)
        : await fetchInTime(address, {
            method: "POST",
            headers: { "content-type": "application/json", "x-account": account },
            body: inputs,
          });
    if (response.ok) onAnswered();
    const said = (await response.json()) as Answer[] | Answer;
    for (const [index, { resolve, reject }] of calls.entries()) {
      // What concerns the whole request is said once.
      const { result, error } = (Array.isArray(said) ? said[index] : said) ?? {};
      if (result) resolve(result.data);
      else reject(new Failure(error?.message ?? "That was no answer.", error?.data));
    }
  } catch (cause) {
    for (const { reject } of calls) reject(new Failure(String(cause), undefined, cause));
  }
}
