export interface Place {
  epoch: string;
  seq: number;
  /** More of what happened there is to be told, in other words: whoever resumes hears all of it. */
  isPart: boolean;
}

/** A cursor is `epoch.sequence`, with a third part where it is one of several frames; undefined where it is none. */
export function parseCursor(cursor: string | undefined): Place | undefined {
  const [epoch, number, part] = cursor?.split(".") ?? [];
  const seq = Number(number);
  return epoch !== undefined && number !== undefined && Number.isSafeInteger(seq)
    ? { epoch, seq, isPart: part !== undefined }
    : undefined;
}
