import { z } from "zod";

/** How long a file is stored, and the free disk space in bytes needed to start. */
export const exportLimits = { keptFor: 3 * 24 * 60 * 60 * 1000, room: 500 * 1024 * 1024 } as const;

/** The download path of the file. */
export const exportPath = "/settings/export/file";

/** Times are ISO 8601. */
export type ExportState =
  | { state: "none" }
  /** `of` is 0 before it begins. */
  | { state: "making"; askedAt: string; done: number; of: number }
  | { state: "ready"; madeAt: string; bytes: number; goneAt: string }
  | { state: "failed"; askedAt: string; problem: string };

/** Required if the account has a password. */
export const BeginExport = z.strictObject({ password: z.string().max(1_000).default("") });
