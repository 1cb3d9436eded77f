import type { Parts } from "../context.ts";
import { accountNamed } from "../users/account-queries.ts";
import type { UserRow } from "../users/queries.ts";
import { printable, type Said } from "./command.ts";
import { withParts } from "./parts.ts";

export const takes = "USER";

/** A command about one account. */
export function withAccount<Options>(
  work: (parts: Parts, user: UserRow, options: Options, more: string | undefined) => Promise<Said>,
) {
  return ({ words: [word = "", more], options }: { words: string[]; options: Options }): Promise<Said> =>
    withParts(async (parts) => {
      const user = await accountNamed(parts.database.read, word);
      if (!user) throw new Error(`There is no account ${printable(word)}: "user list" shows them all.`);
      return work(parts, user, options, more);
    });
}
