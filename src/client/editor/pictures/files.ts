/** The bytes inside a `data:` URL of a picture; null for any other address. Not by fetch(): the page's policy forbids it. */
export function pictureInDataUrl(url: string): Blob | null {
  const match = /^data:(image\/[a-z0-9.+-]+);base64,([a-z0-9+/=\s]+)$/i.exec(url);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[2]!), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type: match[1]!.toLowerCase() });
  } catch {
    return null;
  }
}

/** Pictures among the files of a drop or a paste. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
}
