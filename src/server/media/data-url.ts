/** Returns the bytes of a picture's `data:` address; null when it is none. */
export function pictureData(address: string): Buffer | null {
  const data = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(address)?.[1];
  return data === undefined ? null : Buffer.from(data, "base64");
}
