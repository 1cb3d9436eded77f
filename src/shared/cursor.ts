/** A position in the event history of a site. */
export interface CursorPosition {
  epoch: string;
  seq: number;
  /** More messages of this stored event follow: resuming here sends it again. */
  isPartial: boolean;
}

/** Returns `epoch.sequence`; a third part says that more of the same stored event follows. */
export const formatCursor = (epoch: string, seq: number): string => `${epoch}.${seq}`;

export const formatPartialCursor = (epoch: string, seq: number): string => `${formatCursor(epoch, seq)}.0`;

/** Returns undefined for an invalid cursor. */
export function parseCursor(cursor: string | undefined): CursorPosition | undefined {
  const [epoch, number, part] = cursor?.split(".") ?? [];
  const seq = Number(number);
  return epoch !== undefined && number !== undefined && Number.isSafeInteger(seq)
    ? { epoch, seq, isPartial: part !== undefined }
    : undefined;
}
