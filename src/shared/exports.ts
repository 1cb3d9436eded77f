import { z } from "zod";

/** Bounds of exports: a file is kept so long, and none is begun with less room on the disk. */
export const exportLimits = { keptFor: 3 * 24 * 60 * 60 * 1000, room: 500 * 1024 * 1024 } as const;

/** Where the file is had from by whoever asked for it. */
export const exportFile = "/settings/export/file";

/** How an account's export stands; times are ISO 8601. */
export type ExportState =
  | { state: "none" }
  /** `of` is 0 before it begins. */
  | { state: "making"; askedAt: string; done: number; of: number }
  | { state: "ready"; madeAt: string; bytes: number; goneAt: string }
  | { state: "failed"; askedAt: string; problem: string };

/** The password is asked where the account has one. */
export const BeginExport = z.strictObject({ password: z.string().max(1_000).default("") });
