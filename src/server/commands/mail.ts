import { testMail } from "../site/test-mail.ts";
import { Email } from "../../shared/users.ts";
import { command } from "./command.ts";
import { withServices } from "./services.ts";

export const commands = [
  command({
    name: "mail test",
    takes: "ADDRESS",
    description: "Sends a test email, and says why if the mail server does not accept it.",
    words: [1, 1],
    run: ({ words: [address = ""] }) =>
      withServices(async (services) => {
        const email = Email.parse(address);
        const { message } = await testMail(services, email);
        const hasProblems = services.config.smtpUrl === undefined;
        return { lines: message, json: { message }, hasProblems };
      }),
  }),
];
