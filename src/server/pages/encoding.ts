export type Encoding = "br" | "gzip" | "identity";

/** The best of the encodings that we keep, of those a browser takes. A weight of 0 refuses one; other weights make no difference to us. */
export function encodingOf(accepted: string | undefined): Encoding {
  const offers = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((offer) => offer.split(";").map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ""))
    .map(([name]) => name);
  return offers.includes("br") ? "br" : offers.includes("gzip") ? "gzip" : "identity";
}
