import type { z } from "zod";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { AuditEntry, StaffPeople, StaffPeopleList, StaffWaiting } from "../../shared/moderation.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { MemberContext } from "../context.ts";
import { waitingForStaff } from "./staff-queries.ts";
import { requireStaff } from "./access.ts";
import { canRunSite } from "./policy.ts";
import { presentEntry, presentStaffPerson } from "./present.ts";
import * as queries from "./queries.ts";

const { page: pageSize } = staffLimits.reports;

export async function waiting(ctx: MemberContext): Promise<StaffWaiting> {
  const { read } = ctx.database;
  await requireStaff(read, ctx.viewer);
  return waitingForStaff(read);
}

export async function staffPeople(
  ctx: MemberContext,
  { page, query, sort, state }: z.output<typeof StaffPeople>,
): Promise<StaffPeopleList> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const viewerOptions = { viewerId: me.id, byEmail: canRunSite(me) };
  const at = { query, sort, state, ...viewerOptions, limit: pageSize + 1, offset: (page - 1) * pageSize };
  const rows = isBeyondLastPage(page, pageSize) ? [] : await queries.listPeople(read, at);
  return {
    people: rows.slice(0, pageSize).map((row) => presentStaffPerson(row, me)),
    page,
    hasMore: rows.length > pageSize,
  };
}

export async function auditEntries(
  ctx: MemberContext,
  { page }: { page: number },
): Promise<{ entries: AuditEntry[]; page: number; hasMore: boolean }> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const at = { viewerId: me.id, limit: pageSize + 1, offset: (page - 1) * pageSize };
  const rows = isBeyondLastPage(page, pageSize) ? [] : await queries.listEntries(read, at);
  return { entries: rows.slice(0, pageSize).map(presentEntry), page, hasMore: rows.length > pageSize };
}
