import { timingSafeEqual } from "node:crypto";
import { link as linkFile, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { SetUp } from "../../shared/users.ts";
import type { Context, Services } from "../context.ts";
import { countVerified, hasNoVerifiedUser, userById } from "../profiles/queries.ts";
import type { Config } from "../runtime/config.ts";
import { hashSecret, newId, newSecret } from "../runtime/ids.ts";
import { addAccount } from "./sign-up.ts";
import { beginSession, type SignedIn } from "./sign-in.ts";

type Site = Pick<Services, "config" | "database">;

/** Only for people who can read the data folder: the first who opens this link becomes administrator. */
const fileOf = ({ dataDir }: Config): string => path.join(dataDir, "setup-link");

/** Whether the site waits for its first administrator, who comes by the link. */
export const needsSetUp = async ({ config, database }: Site): Promise<boolean> =>
  config.setUpByLink && (await hasNoVerifiedUser(database.read));

/** Returns the secret of the link; undefined without a link. Nothing else stores it: without the file no link is valid. */
const storedSecret = async (config: Config): Promise<string | undefined> =>
  /#([\w-]{43})\s*$/.exec(await readFile(fileOf(config), "utf8").catch(() => ""))?.[1];

/** Writes the link while the site needs one, the same until it is used and for all servers of a folder; otherwise deletes it. */
export async function writeSetUpLink(services: Site): Promise<void> {
  const { config } = services;
  const file = fileOf(config);
  if (!(await needsSetUp(services))) return rm(file, { force: true });
  const secret = await storedSecret(config);
  const next = `${file}-${newId()}`;
  const link = config.publicUrl + sentRoutes.setUp(secret ?? newSecret());
  await writeFile(next, `${link}\n`, { flag: "wx", mode: 0o600 });
  const isNew = secret === undefined && (await stat(file).catch(() => undefined)) === undefined;
  try {
    // Another server may make one at the same time: that of the first counts.
    if (isNew) await linkFile(next, file);
    else await rename(next, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(next, { force: true });
  }
}

/** Returns the link that was written. */
export const setUpLink = async (config: Config): Promise<string | undefined> =>
  (await readFile(fileOf(config), "utf8").catch(() => undefined))?.trim();

/**
 * Creates the first administrator, whose address counts as confirmed: no mail server may be set yet. Throws `forbidden` for a wrong
 * secret, and once the site is set up.
 */
export async function setUp(ctx: Context, { secret, ...account }: z.output<typeof SetUp>): Promise<SignedIn> {
  const alreadySetUp = () => new AppError("forbidden", "This site is already set up. Please sign in.");
  if (!(await needsSetUp(ctx))) throw alreadySetUp();
  const expected = await storedSecret(ctx.config);
  const isRight =
    expected !== undefined &&
    timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hashSecret(expected)));
  if (!isRight) {
    await ctx.limits.take("wrongLink", ctx.address);
    throw new AppError("forbidden", "This link isn’t valid. Use the one in the server’s terminal.");
  }
  const { id } = await addAccount(ctx, { ...account, isAdmin: true }, async (tx) => {
    // The link was used twice at the same time.
    if ((await countVerified(tx, 2)) > 1) throw alreadySetUp();
  });
  await rm(fileOf(ctx.config), { force: true }).catch((error: unknown) =>
    ctx.log.error({ err: error }, "the used set-up link could not be deleted; it is no longer valid"),
  );
  return beginSession(ctx, (await userById(ctx.database.read, id))!);
}
