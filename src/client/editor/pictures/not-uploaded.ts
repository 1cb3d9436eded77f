/** What is said of a picture whose page went away before it had arrived. */
export const notUploaded = (name: string): string =>
  `The upload of ${name} was interrupted. Please add it again.`;
