/** What is said of a picture whose page went away before it had arrived. */
export const notUploaded = (name: string): string =>
  `${name} was not uploaded to its end. Please add it again.`;
