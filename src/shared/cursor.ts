/** Where an answer or an event stands in the history of a site. */
export interface Place {
  epoch: string;
  seq: number;
  /** More of what happened there is to be told, in other words: whoever resumes hears all of it. */
  isPart: boolean;
}

/** A cursor is `epoch.sequence`, with a third part where more of what happened there is to come. */
export const formatCursor = (epoch: string, seq: number): string => `${epoch}.${seq}`;

export const formatPart = (epoch: string, seq: number): string => `${formatCursor(epoch, seq)}.0`;

/** Returns undefined for what is no cursor. */
export function parseCursor(cursor: string | undefined): Place | undefined {
  const [epoch, number, part] = cursor?.split(".") ?? [];
  const seq = Number(number);
  return epoch !== undefined && number !== undefined && Number.isSafeInteger(seq)
    ? { epoch, seq, isPart: part !== undefined }
    : undefined;
}
