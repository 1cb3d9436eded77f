/** An event that moves the caret to the start of the text. The form dispatches it, without ProseMirror's code. */
export const focusStart = "focus-start";
