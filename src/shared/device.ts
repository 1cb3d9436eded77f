/*
 * Which browser and which system a session is of, as far as its user agent tells. The order matters: most browsers
 * claim to be Chrome or Safari too.
 */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const systems: readonly [RegExp, string][] = [
  [/\biPad\b/, "iPad"],
  [/\biPhone\b|\biPod\b/, "iPhone"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const find = (table: typeof browsers, agent: string): string | undefined =>
  table.find(([sign]) => sign.test(agent))?.[1];

/** "Firefox on Windows"; a program by its own name ("curl"); "Unknown device" where nothing is said. */
export function deviceName(agent: string): string {
  const browser = find(browsers, agent);
  const system = find(systems, agent);
  if (browser && system) return `${browser} on ${system}`;
  if (browser ?? system) return (browser ?? system)!;
  const program = /^([\w.-]{1,40})(?:\/|$)/.exec(agent.trim())?.[1];
  return program && program !== "Mozilla" ? program : "Unknown device";
}
