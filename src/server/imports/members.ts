import { PersonName, ProfileUpdate, SettingsUpdate, Email, Id, Username } from "../../shared/users.ts";
import type { ImportReport, ReportLine } from "../../shared/imports.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { importingAs } from "../accounts/acting-as.ts";
import type { MemberContext, Services } from "../context.ts";
import { isDiskFull } from "../database/errors.ts";
import { addBytes } from "../media/service.ts";
import { updateUser, userByEmail, type UserRow } from "../profiles/queries.ts";
import { addAccount } from "../sign-in/sign-up.ts";
import { AddressBook } from "./address-book.ts";
import { openFiles } from "./files/open.ts";
import { chooseAddresses, type Addresses, type ImportOptions } from "./import-posts.ts";
import { beginRun, executeRun } from "./import-runs.ts";
import { listRuns } from "./queries.ts";
import { valuesIn } from "./reading/json.ts";
import { parsedDate } from "./reading/dates.ts";
import { isRow, type Row } from "./reading/values.ts";
import { headOf, requireVersion } from "./reprise/source.ts";
import { errorMessage } from "./report.ts";
import { FileProblem, type Files, type Source } from "./source.ts";
import { blockBetween } from "../blocks/queries.ts";
import { setMute } from "../blocks/mute-queries.ts";
import { rightsTopic } from "../live/signals.ts";
import { storeBlock } from "../blocks/service.ts";
import { insertFollow } from "../follows/queries.ts";

/* A site's export (docs/export.md): its members' exports, each imported as that of one account. */

/** A member of the export and their account here. */
export interface Member {
  folder: string;
  /** The id on the old site. */
  formerId: string;
  ctx: MemberContext;
  username: string;
  isNew: boolean;
}

export interface ImportedMember {
  member: Member;
  runId: string;
  report: ImportReport;
}

export interface ImportedSite {
  imported: ImportedMember[];
  /** Members that were not imported. */
  skipped: ReportLine[];
}

interface SiteOptions {
  again: boolean;
  fetch: boolean;
  open: (folder: string) => Promise<Source>;
  onProgress: (done: number, of: number, username: string) => void;
  signal: AbortSignal;
}

const membersFile = "members.json";

/** Whether a file or folder is the export of a site. Throws `FileProblem` for one in another version. */
export async function isSiteExport(file: string): Promise<boolean> {
  const files = await openFiles(file);
  try {
    const hasHead = (await files.list()).some(({ name }) => name === "export.json");
    const head = hasHead ? await headOf(files) : null;
    if (head?.kind !== "site") return false;
    requireVersion(head, 2);
    return true;
  } finally {
    await files.close();
  }
}

/**
 * Imports the export of a site member by member, each into the account with their confirmed address. Adds missing accounts,
 * without password and role. A second run continues an interrupted one.
 */
export async function importSite(
  services: Services,
  file: string,
  { again, fetch, open, onProgress, signal }: SiteOptions,
): Promise<ImportedSite> {
  const files = await openFiles(file);
  try {
    const { members, skipped } = await addMembers(services, files, { fetch, signal });
    // Before any blog: some are for followers only, and not for blocked people.
    await importRelations(services, files, members, signal);
    const book = new AddressBook();
    const addresses = new Map<Member, Addresses>();
    // All first: texts link to those of other members.
    for (const member of members) {
      const source = await open(member.folder);
      try {
        addresses.set(member, await chooseAddresses(member.ctx, source, { signal }, book));
      } finally {
        await source.close();
      }
    }
    const imported: ImportedMember[] = [];
    for (const member of members) {
      onProgress(imported.length, members.length, member.username);
      const source = await open(member.folder);
      try {
        const options = { addresses: addresses.get(member)!, signal };
        imported.push({
          member,
          ...(await importMember(services, member, source, { file, again, options })),
        });
      } finally {
        await source.close();
      }
    }
    return { imported, skipped };
  } finally {
    await files.close();
  }
}

async function importMember(
  services: Services,
  { ctx }: Member,
  source: Source,
  { file, again, options }: { file: string; again: boolean; options: ImportOptions },
): Promise<{ runId: string; report: ImportReport }> {
  const run = { authorId: ctx.viewer.id, options: { ...(again && { again }), pid: process.pid } };
  const name = file;
  const runId = await beginRun(services, { ...run, kind: "reprise", name, local: true, state: "running" });
  return { runId, report: await executeRun(ctx, { ...run, id: runId }, source, options) };
}

async function addMembers(
  services: Services,
  files: Files,
  { fetch, signal }: Pick<SiteOptions, "fetch" | "signal">,
): Promise<{ members: Member[]; skipped: ReportLine[] }> {
  const members: Member[] = [];
  const skipped: ReportLine[] = [];
  for await (const { value } of valuesIn(files, membersFile, ["$.*"])) {
    signal.throwIfAborted();
    const row = isRow(value) ? value : {};
    const folder = typeof row.folder === "string" ? row.folder : membersFile;
    try {
      members.push(await addMember(services, files, row, { folder, fetch }));
    } catch (error) {
      if (isDiskFull(error)) throw error;
      skipped.push({ file: folder, reason: errorMessage(error) });
    }
  }
  return { members, skipped };
}

/** Returns a member's account here, a new one if needed. Throws an expected error for one that is not imported. */
async function addMember(
  services: Services,
  files: Files,
  row: Row,
  { folder, fetch }: { folder: string; fetch: boolean },
): Promise<Member> {
  if (row.suspended === true || row.limited === true)
    throw new FileProblem(`${row.suspended === true ? "Suspended" : "Limited"} on the old site`);
  const account = await accountIn(files, folder);
  const formerId = Id.parse(account.id);
  const existing = await userByEmail(services.database.read, account.email);
  if (existing?.suspendedAt != null) throw new FileProblem("Their account here is suspended");
  const contextOf = (id: string) => importingAs(services, id, { isLocal: true, fetch });
  if (existing?.verifiedAt != null)
    return { folder, formerId, ctx: contextOf(existing.id), username: existing.username, isNew: false };
  const { id, username } = await addAccountOf(services, account);
  const ctx = contextOf(id);
  if (account.picture !== undefined)
    await addPortrait(ctx, files, `${folder}/${account.picture}`).catch((error: unknown) => {
      if (isDiskFull(error)) throw error;
      services.log.error({ err: error }, "a profile picture could not be imported");
    });
  return { folder, formerId, ctx, username, isNew: true };
}

/** Adds an account with the profile and privacy of the old one, in one write: nothing is public that was not. */
async function addAccountOf(
  services: Services,
  { email, name, username, profile }: Awaited<ReturnType<typeof accountIn>>,
): Promise<{ id: string; username: string }> {
  const add = (input: { name: string; username?: string }) =>
    addAccount(services, { ...input, email, isAdmin: false }, (tx, { id }) =>
      updateUser(tx, id, { ...profile, name }),
    );
  try {
    return await add({ name, username });
  } catch (error) {
    // Taken here: one like it.
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    return add({ name: username });
  }
}

async function accountIn(files: Files, folder: string) {
  let row: Row = {};
  for await (const { value } of valuesIn(files, `${folder}/accounts.json`, ["$.*"]))
    if (isRow(value)) row = value;
  const settings = isRow(row.settings) ? row.settings : {};
  const { interests, mutedWords } = row;
  const { private: isPrivate, showLikedBlogs, showSavedBlogs, showFollowers, showPresence } = settings;
  const shown = { private: isPrivate, showLikedBlogs, showSavedBlogs, showFollowers, showPresence };
  const createdAt = Math.min(parsedDate(row.createdAt)?.getTime() ?? Infinity, Date.now());
  const profile: Partial<UserRow> = {
    // Invalid settings must not make anything public.
    ...(SettingsUpdate.safeParse(shown).data ?? { private: true }),
    ...SettingsUpdate.safeParse({ interests }).data,
    ...SettingsUpdate.safeParse({ mutedWords }).data,
    ...ProfileUpdate.safeParse({ bio: row.bio }).data,
    createdAt,
  };
  const picture = typeof row.picture === "string" ? row.picture : undefined;
  return {
    id: row.id,
    email: Email.parse(row.email),
    name: PersonName.parse(row.name),
    username: Username.parse(row.username),
    picture,
    profile,
  };
}

async function addPortrait(ctx: MemberContext, files: Files, file: string): Promise<void> {
  const { id } = await addBytes(ctx, await files.read(file, limits.image.bytes));
  await ctx.database.write((tx) => updateUser(tx, ctx.viewer.id, { pictureId: id }));
}

/**
 * Stores whom the members of a site's export block, mute and follow among themselves. Nobody is notified. Only before a member's
 * first import: what people changed here since stays.
 */
async function importRelations(
  { database }: Pick<Services, "database">,
  files: Files,
  members: readonly Member[],
  signal: AbortSignal,
): Promise<void> {
  const idsHere = new Map(members.map(({ formerId, ctx }) => [formerId, ctx.viewer.id]));
  const idHere = (person: unknown) => (isRow(person) ? idsHere.get(String(person.id)) : undefined);
  for (const { folder, formerId, ctx } of members) {
    signal.throwIfAborted();
    const id = ctx.viewer.id;
    if (
      (await listRuns(database.read, { authorId: id, limit: 20 })).some(
        ({ local, kind }) => local && kind === "reprise",
      )
    )
      continue;
    const now = Date.now();
    const others = async (file: string, otherOf: (row: Row) => unknown) => {
      const found: { row: Row; other: string }[] = [];
      for await (const { value: row } of valuesIn(files, `${folder}/${file}`, ["$.*"])) {
        const other = isRow(row) ? idHere(otherOf(row)) : undefined;
        if (isRow(row) && other !== undefined && other !== id) found.push({ row, other });
      }
      return found;
    };
    const hidden = await others("hidden.json", ({ other }) => other);
    const followed = await others("follows.json", ({ follower, followed: person, accepted }) =>
      accepted === true && isRow(follower) && follower.id === formerId ? person : undefined,
    );
    await database.write(async (tx) => {
      for (const { row, other } of hidden)
        await (row.kind === "block" ? storeBlock(tx, id, other, now) : setMute(tx, id, other, true, now));
      for (const { other } of followed) {
        if (!(await blockBetween(tx, id, other)).exists) await insertFollow(tx, id, other, now);
      }
      tx.signal(rightsTopic(id));
    });
  }
}
