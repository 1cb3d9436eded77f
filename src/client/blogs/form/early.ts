import type { BlogFields } from "./values.ts";

/** What stands in the boxes and not in our state: typed before React took over the page. */
export function typedEarly(form: HTMLFormElement | null, shown: BlogFields): Partial<BlogFields> {
  const typed: Partial<BlogFields> = {};
  for (const name of ["title", "description"] as const) {
    const box = form?.elements.namedItem(name);
    if (box instanceof HTMLTextAreaElement && box.value !== shown[name]) typed[name] = box.value;
  }
  return typed;
}

/** Those of the fields outside the text that are not as they were. */
export function changesOf(now: BlogFields, before: BlogFields): Partial<BlogFields> {
  const { document: _text, ...fields } = now;
  const same = (name: keyof typeof fields) => JSON.stringify(now[name]) === JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !same(name as keyof typeof fields)));
}
