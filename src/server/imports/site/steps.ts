import type { Parts } from "../../context.ts";
import type { Transaction } from "../../database/writer.ts";
import type { Files } from "../source.ts";
import { accounts, portraits } from "./people.ts";
import { pictures } from "./pictures.ts";
import { talk } from "./talk.ts";
import { texts } from "./texts.ts";
import { ties } from "./ties.ts";
import type { Row } from "./values.ts";

/** What a step reads an export by. */
export interface Tools {
  parts: Parts;
  files: Files;
  /** The folder within the ZIP. */
  root: string;
  /** Where the site was; null where the export does not say. */
  url: string | null;
  now: number;
  /** Says what could not be taken. */
  tell: (file: string, reason: string) => void;
}

/** One file of an export, stored some rows at a time, each lot in one transaction with the note of how far it is. */
export interface Step {
  file: string;
  /** Exports of before it came to be have no such file. */
  isNewer?: true;
  /** Rows of one transaction. */
  atOnce?: number;
  /** What must be ready before the transaction, for all of its rows at once; null where the row can't be taken. */
  ready?: (row: Row, tools: Tools) => Promise<Row | null>;
  /** Answers with how many rows were new. */
  put: (tx: Transaction, rows: Row[], tools: Tools) => Promise<number>;
}

/** In this order: each refers to nothing that comes after it. A restore that was killed goes on by their numbers. */
export const steps: readonly Step[] = [accounts, pictures, portraits, texts, talk, ...ties];
