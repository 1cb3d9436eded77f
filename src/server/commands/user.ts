import { Email, Password, PersonName, Username } from "../../shared/users.ts";
import { newSecret } from "../ids.ts";
import { addAccount } from "../users/accounts.ts";
import { command, Misused } from "./command.ts";
import { withParts } from "./parts.ts";

export const commands = [
  command({
    name: "user add",
    takes: "USERNAME --email ADDRESS [--name NAME] [--password PASSWORD] [--admin]",
    does: "An account whose address is taken as confirmed.",
    words: [1, 1],
    options: {
      email: { type: "string" },
      name: { type: "string" },
      password: { type: "string" },
      admin: { type: "boolean" },
    },
    run: ({ words: [username = ""], options: { email, name, password: given, admin } }) =>
      withParts(async (parts) => {
        if (email === undefined) throw new Misused("Please say --email ADDRESS: the account is known by it.");
        const password = given ?? newSecret().slice(0, 16);
        const account = await addAccount(parts, {
          username: Username.parse(username),
          email: Email.parse(email),
          name: PersonName.parse(name ?? username),
          password: Password.parse(password),
          ...(admin ? { isAdmin: true } : {}),
        });
        const made = given === undefined ? { password } : {};
        return {
          lines: `Added ${account.username}.${given === undefined ? ` The password is ${password}` : ""}`,
          json: { ...account, ...made },
        };
      }),
  }),
];
