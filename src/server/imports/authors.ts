import { readFile, stat } from "node:fs/promises";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext, Services } from "../context.ts";
import { userByUsername } from "../profiles/queries.ts";
import { importingAs } from "../accounts/acting-as.ts";
import type { SourcePost } from "./source.ts";

/** Reads lines of `author,username`. Throws `AppError`. */
export async function readAuthorMap(file: string): Promise<Map<string, string>> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > 1_000_000)
    throw new AppError(
      "bad_request",
      `${file} doesn’t exist or is too large for a list of authors and usernames.`,
    );
  const text = (await readFile(file, "utf8")).replace(/^\ufeff/, "").trim();
  const unquoted = (part: string): string =>
    part
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim();
  return new Map(
    text.split(/\r?\n/).flatMap((line, index): [string, string][] => {
      if (line.trim() === "") return [];
      const comma = line.lastIndexOf(",");
      if (comma < 1)
        throw new AppError(
          "bad_request",
          `Line ${index + 1} of ${file} isn’t an author, a comma and a username.`,
        );
      return [[unquoted(line.slice(0, comma)).toLowerCase(), unquoted(line.slice(comma + 1))]];
    }),
  );
}

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
