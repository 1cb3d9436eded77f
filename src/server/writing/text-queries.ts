import type { Node } from "prosemirror-model";
import { Step } from "prosemirror-transform";
import { readDocument } from "../../shared/document/read.ts";
import { schema } from "../../shared/document/schema.ts";
import { stepCost } from "../../shared/document/steps.ts";
import type { Connection } from "../database/connection.ts";
import { commitsBetween, weighCommits, writtenDocument, type DraftHead } from "./queries.ts";

/** Returns a draft's document as of its last commit, from the stored document and the commits since, and the work of that. */
export async function readDraftDocument(
  connection: Connection,
  { blogId, documentSeq, seq }: Pick<DraftHead, "blogId" | "documentSeq" | "seq">,
): Promise<{ document: Node; work: number }> {
  let document = readDocument(JSON.parse((await writtenDocument(connection, blogId)) ?? "null"));
  const range = [connection, blogId, documentSeq, seq + 1] as const;
  let work = (await weighCommits(...range)).bytes / 10;
  for (const { steps } of await commitsBetween(...range))
    for (const json of steps) {
      const step = Step.fromJSON(schema, json);
      work += stepCost(document, step);
      document = step.apply(document).doc ?? document;
    }
  return { document, work };
}
