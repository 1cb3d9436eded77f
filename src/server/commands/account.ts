import type { Services } from "../context.ts";
import { findAccount } from "../profiles/account-queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { printable, type CommandOutput } from "./command.ts";
import { withServices } from "./services.ts";

export const takes = "USER";

export function withAccount<Options>(
  work: (services: Services, user: UserRow, options: Options) => Promise<CommandOutput>,
) {
  return ({ words: [word = ""], options }: { words: string[]; options: Options }): Promise<CommandOutput> =>
    withServices(async (services) => {
      const user = await findAccount(services.database.read, word);
      if (!user) throw new Error(`There is no account ${printable(word)}. /admin/people lists them all.`);
      return work(services, user, options);
    });
}
