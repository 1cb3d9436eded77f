import { staffLimits } from "../../shared/staff-limits.ts";
import { changeSignupBlock } from "../administration/signup-blocks.ts";
import { operator } from "../moderation/log.ts";
import { listSignupBlocks } from "../signup/signup-block-queries.ts";
import { command } from "./command.ts";
import { withServices } from "./services.ts";

export const commands = [
  command({
    name: "signup-blocks list",
    description: "Lists the email domains and networks whose sign-ups are blocked.",
    run: () =>
      withServices(async ({ database }) => {
        const blocks = await listSignupBlocks(database.read, staffLimits.signupBlocks.most);
        return {
          lines: blocks.map(({ value }) => value),
          json: blocks.map(({ kind, value }) => ({ kind, value })),
        };
      }),
  }),
  command({
    name: "signup-blocks add",
    takes: "DOMAIN|ADDRESS|NETWORK [--undo]",
    description:
      "Blocks sign-ups with addresses of an email domain, or from a network like 192.0.2.0/24. --undo unblocks them.",
    words: [1, 1],
    options: { undo: { type: "boolean" } },
    run: ({ words: [text = ""], options: { undo } }) =>
      withServices(async ({ database }) => {
        const value = await database.write((tx) => changeSignupBlock(tx, operator, text, !undo));
        return {
          lines: undo ? `Sign-ups from ${value} are allowed again.` : `Sign-ups from ${value} are blocked.`,
          json: { value, blocked: !undo },
        };
      }),
  }),
];
