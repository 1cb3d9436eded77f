const addressNames = ["data-src", "data-lazy-src", "data-original"];

/** Returns the address of a picture that its page loads late, with a placeholder until then; undefined for others. */
export function lazyPictureAddress(
  attribute: (name: string) => string | null | undefined,
): string | undefined {
  const src = attribute("src")?.trim();
  if (src && !/^data:|placeholder|blank\.gif/i.test(src)) return undefined;
  const address = addressNames.map(attribute).find(Boolean);
  if (address) return address.trim();
  // The largest is last.
  const widths = (attribute("srcset") ?? attribute("data-srcset") ?? "").split(/,\s+/);
  return widths.at(-1)?.trim().split(/\s+/, 1)[0] || undefined;
}
