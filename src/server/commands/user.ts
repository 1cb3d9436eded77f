import type { AuditAct } from "../../shared/moderation.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { Email, Password, PersonName, Username } from "../../shared/users.ts";
import type { Transaction } from "../database/writer.ts";
import { newSecret } from "../runtime/ids.ts";
import { logAction, operator } from "../moderation/log.ts";
import { endStaffNotifications } from "../moderation/staff-notifications.ts";
import { pictureBytesOf, textBytesOf, findAccount } from "../profiles/account-queries.ts";
import { addAccount } from "../sign-in/sign-up.ts";
import { endSessions } from "../sign-in/end-sessions.ts";
import { resetLink, setAdmin } from "../accounts/operator-actions.ts";
import type { UserRow } from "../profiles/queries.ts";
import { turnOffSecondSteps } from "../sign-in/second-step.ts";
import { askSecret } from "./ask-secret.ts";
import { command, UsageError, plural, printable, table, type CommandOutput } from "./command.ts";
import { withServices } from "./services.ts";
import type { Services } from "../context.ts";

const oneArgument = [1, 1] as const;
const takes = "USER";

export const commands = [
  command({
    name: "user add",
    takes: "USERNAME --email ADDRESS [--name NAME] [--password] [--admin]",
    description:
      "Adds an account with a confirmed address. --password asks for its password, or reads it from standard input; without it a password is generated and shown.",
    words: oneArgument,
    options: {
      email: { type: "string" },
      name: { type: "string" },
      password: { type: "boolean" },
      admin: { type: "boolean" },
    },
    run: async ({ words: [username = ""], options: { email, name, password: asksPassword, admin } }) => {
      if (email === undefined)
        throw new UsageError("Please add --email ADDRESS, the address of the account.");
      const password = asksPassword ? await askSecret("Password: ") : newSecret().slice(0, 16);
      const details = {
        username: Username.parse(username),
        email: Email.parse(email),
        name: PersonName.parse(name ?? username),
        password: Password.parse(password),
        ...(admin ? { isAdmin: true } : {}),
      };
      return withServices(async (services) => {
        const account = await addAccount(services, details, async (tx, added) => {
          await logCommand(added, "add")(tx);
          if (added.isAdmin) await logCommand(added, "administrator")(tx);
        });
        return {
          lines: `Added ${account.username}.${asksPassword ? "" : ` The password is ${password}`}`,
          json: asksPassword ? account : { ...account, password },
        };
      }, "new");
    },
  }),
  command({
    name: "user show",
    takes,
    description: "Shows what the site knows about an account, found by username, address or id.",
    words: oneArgument,
    run: withAccount(async (services, user) => {
      const sessions = await services.sessions.list(user.id);
      const bytes = await pictureBytesOf(services.database.read, user.id);
      const textBytes = await textBytesOf(services.database.read, user.id);
      const blogs = user.publicBlogs + user.privateBlogs + user.draftBlogs;
      const seenAt = sessions.length === 0 ? null : Math.max(...sessions.map((session) => session.seenAt));
      const signsIn = [user.passwordHash ? "password" : "", user.googleId ? "Google" : ""].filter(Boolean);
      return {
        lines: [
          `${printable(user.name)} (${user.username}), ${user.email}`,
          `since ${day(user.createdAt)}, ${user.verifiedAt === null ? "not confirmed" : `confirmed ${day(user.verifiedAt)}`}${user.isAdmin ? ", administrator" : user.isModerator ? ", moderator" : ""}${user.suspendedAt === null ? "" : `, suspended ${day(user.suspendedAt)}`}${user.limitedAt === null ? "" : `, limited ${day(user.limitedAt)}`}${user.private ? ", private" : ""}`,
          `${plural(blogs, "blog")} (${user.publicBlogs} public, ${user.privateBlogs} private, ${user.draftBlogs} drafts), ${plural(user.followersCount, "follower")}, follows ${user.followingCount}`,
          `pictures: ${formatBytes(bytes)}, texts with their versions: ${formatBytes(textBytes)}`,
          `signs in with ${signsIn.join(" and ") || "neither a password nor Google"}; ${plural(sessions.length, "session")}, ${seenAt === null ? "none open" : `last used ${day(seenAt)}`}`,
          `id ${user.id}`,
        ],
        json: {
          id: user.id,
          username: user.username,
          email: user.email,
          name: user.name,
          isAdmin: user.isAdmin,
          confirmed: user.verifiedAt === null ? null : iso(user.verifiedAt),
          since: iso(user.createdAt),
          seen: seenAt === null ? null : iso(seenAt),
          blogs,
          private: user.private,
          followers: user.followersCount,
          following: user.followingCount,
          bytes,
          textBytes,
          sessions: sessions.length,
          suspended: user.suspendedAt !== null,
          limited: user.limitedAt !== null,
          signsIn: signsIn.map((method) => method.toLowerCase()),
        },
      };
    }),
  }),
  command({
    name: "user reset-password",
    takes,
    description:
      "Creates a link to choose a new password, for an account that emails do not reach. It works once, within a day. Pass it on safely.",
    words: oneArgument,
    run: withAccount(async (services, user) => {
      const link = await services.database.write(async (tx) => {
        await logCommand(user, "reset")(tx);
        return resetLink(tx, services.config.publicUrl, user);
      });
      return { lines: link, json: { username: user.username, link } };
    }),
  }),
  command({
    name: "user reset-2fa",
    takes,
    description:
      "Turns off two-factor authentication and passkeys, for a person who lost their device and codes. The password stays the same.",
    words: oneArgument,
    run: withAccount(async (services, user) => {
      await turnOffSecondSteps(services, user.id, logCommand(user, "reset-2fa"));
      return {
        lines: `${user.username} now signs in with the password only. We’ve sent them an email.`,
        json: { username: user.username, secondStepsOff: true },
      };
    }),
  }),
  command({
    name: "user make-admin",
    takes: `${takes} [--undo]`,
    description: "Makes a person an administrator. --undo takes the role away.",
    words: oneArgument,
    options: { undo: { type: "boolean" } },
    run: withAccount(async (services, user, { undo }) => {
      if (!undo && user.limitedAt !== null)
        throw new Error(`${user.username} is limited. Please lift that first, at /admin/people.`);
      await services.database.write(async (tx) => {
        if (!(await setAdmin(tx, user, !undo))) return;
        if (undo && !user.isModerator) await endStaffNotifications(tx, user.id);
        await logCommand(user, undo ? "member" : "administrator")(tx);
      });
      return {
        lines: `${user.username} is ${undo ? "no longer an" : "an"} administrator.`,
        json: { username: user.username, isAdmin: !undo },
      };
    }),
  }),
  command({
    name: "user sessions",
    takes: `${takes} [--end]`,
    description:
      "Lists the sessions of a person. --end signs them out everywhere and closes their open pages at once.",
    words: oneArgument,
    options: { end: { type: "boolean" } },
    run: withAccount(async (services, user, { end }) => {
      const sessions = await services.sessions.list(user.id);
      if (end) {
        await services.database.write(async (tx) => {
          if ((await endSessions(tx, user.id)) > 0) await logCommand(user, "sign-out")(tx);
        });
      }
      const shown = sessions.map(({ handle, userAgent, createdAt, seenAt }) => ({
        handle,
        device: userAgent,
        since: iso(createdAt),
        seen: iso(seenAt),
      }));
      const rows = shown.map(({ since, seen, device }) => [day(since), day(seen), device]);
      return {
        lines: [
          ...(rows.length > 0 ? table(["since", "seen", "device"], rows) : []),
          `${user.username} ${end ? "had" : "has"} ${plural(sessions.length, "session")}${end ? ", and was signed out everywhere" : ""}.`,
        ],
        json: { username: user.username, ended: end === true, sessions: shown },
      };
    }),
  }),
];

/** Returns a function that adds a command to the moderators' audit log, in the command's transaction. */
const logCommand =
  ({ id }: Pick<UserRow, "id">, act: AuditAct) =>
  (tx: Transaction): Promise<void> =>
    logAction(tx, operator, act, { kind: "profile", id });

const iso = (time: number) => new Date(time).toISOString();
const day = (time: number | string | null) =>
  time === null ? "" : new Date(time).toISOString().slice(0, 10);

/** Returns the `run` of a command about one account, which `word` names. */
function withAccount<Options>(
  work: (services: Services, user: UserRow, options: Options) => Promise<CommandOutput>,
) {
  return ({ words: [word = ""], options }: { words: string[]; options: Options }): Promise<CommandOutput> =>
    withServices(async (services) => {
      const user = await findAccount(services.database.read, word);
      if (!user) throw new Error(`There is no account ${printable(word)}. /admin/people lists them all.`);
      return work(services, user, options);
    });
}
