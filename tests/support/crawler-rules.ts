/**
 * Reads the rules for all crawlers from a robots.txt (RFC 9309): the longest matching rule decides, `Allow` if two are equal; `*`
 * is any text, and a final `$` the end of the address.
 */
export function crawlerRules(robots: string): (path: string) => boolean {
  const rules: { isAllowing: boolean; length: number; pattern: RegExp }[] = [];
  let isForAll = false;
  for (const line of robots.split("\n")) {
    const [, name = "", value = ""] = /^([a-z-]+): *(.*)$/i.exec(line) ?? [];
    if (/^user-agent$/i.test(name)) isForAll = value === "*";
    else if (isForAll && /^(dis)?allow$/i.test(name) && value !== "") {
      const source = value.replace(/[.+?^{}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
      const pattern = new RegExp(`^${source.replace(/\$(?!$)/g, "\\$")}`);
      rules.push({ isAllowing: /^allow$/i.test(name), length: value.length, pattern });
    }
  }
  return (path) => {
    const [decisive] = rules
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => b.length - a.length || Number(b.isAllowing) - Number(a.isAllowing));
    return decisive?.isAllowing ?? true;
  };
}
