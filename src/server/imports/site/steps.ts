import type { Services } from "../../context.ts";
import type { Transaction } from "../../database/writer.ts";
import type { Files } from "../source.ts";
import { accounts, accountPictures } from "./accounts.ts";
import { pictures } from "./pictures.ts";
import { commentThreads } from "./comments.ts";
import { texts } from "./texts.ts";
import { socialSteps } from "./social.ts";
import type { Row } from "./values.ts";

export interface RestoreContext {
  services: Services;
  files: Files;
  /** The folder within the ZIP. */
  root: string;
  /** The exported site's URL, if known. */
  url: string | null;
  now: number;
  /** Reports what could not be restored. */
  reportProblem: (file: string, reason: string) => void;
}

/** Restores one file of an export in batches, each in one transaction with its checkpoint. */
export interface RestoreStep {
  file: string;
  /** Missing in older exports. */
  isNewer?: true;
  /** Rows per transaction. */
  batchSize?: number;
  /** Prepares rows before the transaction, concurrently; null skips the row. */
  prepare?: (row: Row, tools: RestoreContext) => Promise<Row | null>;
  /** Returns the number of new rows. */
  put: (tx: Transaction, rows: Row[], tools: RestoreContext) => Promise<number>;
}

/** Each step refers only to earlier ones. Checkpoints store their index. */
export const steps: readonly RestoreStep[] = [
  accounts,
  pictures,
  accountPictures,
  texts,
  commentThreads,
  ...socialSteps,
];
