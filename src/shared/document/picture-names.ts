const pictures: ReadonlySet<string> = new Set(["image", "figure_image"]);

/** Whether nodes of this name are pictures: those in a line, and those of figures. */
export const isPictureName = (name: unknown): boolean => typeof name === "string" && pictures.has(name);
