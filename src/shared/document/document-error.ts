/** `message` is for the person who sent the text. */
export class DocumentError extends Error {
  override name = "DocumentError";
}

/** A RangeError, which ProseMirror treats as an invalid document. */
export class RefusedValue extends RangeError {
  override name = "RefusedValue";
}
