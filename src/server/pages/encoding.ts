export type Encoding = "zstd" | "br" | "gzip" | "identity";

export type CachedEncoding = Exclude<Encoding, "zstd">;

/** Returns the first encoding that a browser accepts; weights other than 0 are ignored. */
export function encodingOf<Of extends Encoding = CachedEncoding>(
  accepted: string | undefined,
  preferred = ["br", "gzip"] as Of[],
): Of | "identity" {
  const acceptedEncodings: (string | undefined)[] = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((offer) => offer.split(";").map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ""))
    .map(([name]) => name);
  return preferred.find((encoding) => acceptedEncodings.includes(encoding)) ?? "identity";
}
