/* Detects browser and system of a user agent. The order matters: most browsers also claim to be Chrome or Safari. */
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

/** Returns "Firefox on Windows"; a program's own name ("curl"); else "Unknown device". */
export function deviceName(agent: string): string {
  const browser = find(browsers, agent);
  const system = find(systems, agent);
  if (browser && system) return `${browser} on ${system}`;
  if (browser ?? system) return (browser ?? system)!;
  const program = /^([\w.-]{1,40})(?:\/|$)/.exec(agent.trim())?.[1];
  return program && program !== "Mozilla" ? program : "Unknown device";
}
