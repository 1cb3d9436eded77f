import { readFile, stat } from "node:fs/promises";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext, Services } from "../context.ts";
import { userByUsername } from "../profiles/queries.ts";
import { importingAs } from "../accounts/acting-as.ts";
import type { SourcePost } from "./source.ts";

/** Reads a JSON object, or lines with a comma, that map authors to usernames. Throws `AppError`. */
export async function readAuthorMap(file: string): Promise<Map<string, string>> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > 1_000_000)
    throw new AppError(
      "bad_request",
      `${file} doesn’t exist or is too large for a list of authors and usernames.`,
    );
  const text = (await readFile(file, "utf8")).replace(/^\ufeff/, "").trim();
  const pairs = text.startsWith("{") ? pairsOfJson(text, file) : pairsOfLines(text);
  return new Map(pairs.map(([author, username]) => [author.trim().toLowerCase(), username.trim()]));
}

function pairsOfJson(text: string, file: string): [string, string][] {
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>).map(([author, username]) => {
      if (typeof username !== "string") throw new Error("Not a name.");
      return [author, username];
    });
  } catch (cause) {
    throw new AppError(
      "bad_request",
      `${file} is not a JSON object of usernames, such as {"Jane Doe": "jane"}.`,
      { cause },
    );
  }
}

const pairsOfLines = (text: string): [string, string][] =>
  text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const comma = line.lastIndexOf(",");
    const unquoted = (part: string) => part.trim().replace(/^"(.*)"$/, "$1");
    return comma > 0 ? [[unquoted(line.slice(0, comma)), unquoted(line.slice(comma + 1))]] : [];
  });

/**
 * Returns a function that gives the mapped account of a post's author, else the viewer. Throws `AppError` for an unknown
 * account.
 */
export async function authorResolver(
  services: Services,
  ctx: MemberContext,
  map: ReadonlyMap<string, string>,
  mode: { isLocal: boolean; fetch: boolean },
): Promise<(post: SourcePost) => MemberContext> {
  const contexts = new Map<string, MemberContext>();
  for (const [author, username] of map) {
    const user = await userByUsername(services.database.read, username);
    if (!user)
      throw new AppError(
        "bad_request",
        `${author} is mapped to ${username}, but there is no account with that username.`,
      );
    contexts.set(author, user.id === ctx.viewer.id ? ctx : importingAs(services, user.id, mode));
  }
  return ({ authors }) => {
    for (const { key, name, email = "" } of authors)
      for (const identifier of [key, email, name]) {
        const context = contexts.get(identifier.trim().toLowerCase());
        if (context) return context;
      }
    return ctx;
  };
}
