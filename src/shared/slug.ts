/** An address of the author's own: what can be said aloud and never has to be escaped. */
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const slugHint = "Letters from a to z, digits, and single hyphens between them.";
