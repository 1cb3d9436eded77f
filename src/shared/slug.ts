/** A slug chosen by the author: speakable, without characters to escape. */
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const slugHint = "Letters from a to z, digits, and single hyphens between them.";
