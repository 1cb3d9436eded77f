const units = ["bytes", "kB", "MB", "GB", "TB"];

/** Returns bytes in a readable unit. */
export function formatBytes(bytes: number): string {
  const at = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(Math.abs(bytes)) / 3), units.length - 1);
  return `${(bytes / 1000 ** at).toLocaleString("en", { maximumSignificantDigits: 3 })} ${units[at]}`;
}
