/** Placeholder for a blog's text while a page is rendered; rendered user input never contains it. */
export const textPlaceholder = "<!--text-->";
