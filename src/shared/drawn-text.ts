/** Stands in a page for the text of the blog while it is drawn; nothing that people write comes out of the drawing so. */
export const drawnText = "<!--text-->";
