export type Encoding = "zstd" | "br" | "gzip" | "identity";

/** What is kept, and sent to many, is kept so. */
export type KeptEncoding = Exclude<Encoding, "zstd">;

/**
 * The first of these encodings that a browser takes. A weight of 0 refuses one; other weights make no difference to us.
 */
export function encodingOf<Of extends Encoding = KeptEncoding>(
  accepted: string | undefined,
  best = ["br", "gzip"] as Of[],
): Of | "identity" {
  const offers: (string | undefined)[] = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((offer) => offer.split(";").map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ""))
    .map(([name]) => name);
  return best.find((encoding) => offers.includes(encoding)) ?? "identity";
}
