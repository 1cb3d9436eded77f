/** Text that can not become a document; `message` is a sentence for the person who sent it. */
export class DocumentError extends Error {
  override name = "DocumentError";
}

/** A value the schema does not allow; a RangeError because ProseMirror treats those as a broken document. */
export class RefusedValue extends RangeError {
  override name = "RefusedValue";
}
