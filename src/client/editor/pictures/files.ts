/** Returns the bytes of a picture's `data:` URL. Not by fetch(), which the page's policy forbids. */
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

export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
}
