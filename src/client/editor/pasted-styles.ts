/** Styles of a cell that a text can have. */
const usable =
  /^\s*(?:font-weight\s*:\s*(?:[6-9]00|bold)|font-style\s*:\s*italic|text-decoration\s*:\s*(?:underline|line-through)|text-align\s*:\s*(?:center|right))/i;

/** Gives Excel's cells and words the styles of their class, before its style sheet is removed. */
export function withCellStyles(html: string): string {
  if (!/<meta[^>]{0,80}Excel\.Sheet/i.test(html)) return html;
  const styles = new Map<string, string>();
  for (const [, name, rules] of html.matchAll(/\.((?:xl|font)\d{1,4})\s*\{([^}]{0,2000})\}/g)) {
    const style = rules!
      .split(";")
      .filter((rule) => usable.test(rule))
      .map((rule) => rule.trim())
      .join(";");
    if (style) styles.set(name!, style);
  }
  if (styles.size === 0) return html;
  return html.replace(/<(?:td|font|span)\s[^<>]{0,2000}>/gi, (tag) => {
    const name = /\sclass=["']?((?:xl|font)\d{1,4})(?![\w-])/i.exec(tag)?.[1];
    const style = name && styles.get(name);
    if (!style) return tag;
    return /\sstyle=["']/i.test(tag)
      ? tag.replace(/(\sstyle=["'])/i, `$1${style};`)
      : tag.replace(/\s/, ` style="${style}" `);
  });
}
