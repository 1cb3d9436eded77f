const pictures: ReadonlySet<string> = new Set(["image", "figure_image"]);

/** Whether it is a picture, inline or in a figure. */
export const isPictureName = (name: unknown): boolean => typeof name === "string" && pictures.has(name);
