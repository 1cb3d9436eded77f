import type { z } from "zod";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { AuditEntry, StaffPeople, StaffPeopleList } from "../../shared/moderation.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { MemberContext } from "../context.ts";
import { requireStaff } from "./access.ts";
import { canRunSite } from "./policy.ts";
import { presentEntry, presentStaffPerson } from "./present.ts";
import * as queries from "./queries.ts";

const { page: size } = staffLimits.reports;

export async function staffPeople(
  ctx: MemberContext,
  { page, query, sort, state }: z.output<typeof StaffPeople>,
): Promise<StaffPeopleList> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const who = { viewerId: me.id, byEmail: canRunSite(me) };
  const at = { query, sort, state, ...who, limit: size + 1, offset: (page - 1) * size };
  const rows = isBeyondLastPage(page, size) ? [] : await queries.listPeople(read, at);
  return {
    people: rows.slice(0, size).map((row) => presentStaffPerson(row, me)),
    page,
    hasMore: rows.length > size,
  };
}

export async function auditEntries(
  ctx: MemberContext,
  { page }: { page: number },
): Promise<{ entries: AuditEntry[]; page: number; hasMore: boolean }> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const at = { viewerId: me.id, limit: size + 1, offset: (page - 1) * size };
  const rows = isBeyondLastPage(page, size) ? [] : await queries.listEntries(read, at);
  return { entries: rows.slice(0, size).map(presentEntry), page, hasMore: rows.length > size };
}
