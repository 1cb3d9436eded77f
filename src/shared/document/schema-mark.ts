import { schema } from "./schema.ts";

/**
 * Names the form of our documents: steps that one page makes are understood by another, and by the server, where both know the
 * same. It changes with the names of nodes, marks and attributes, and with what may stand where.
 */
export const schemaMark: string = short(
  JSON.stringify(
    [schema.spec.nodes, schema.spec.marks].map((specs) => {
      const named: unknown[] = [];
      specs.forEach((name, spec) => {
        const { content, marks, group, attrs, inline, code } = spec as Record<string, unknown>;
        named.push([name, content, marks, group, Object.keys((attrs as object) ?? {}), inline, code]);
      });
      return named;
    }),
  ),
);

/** FNV-1a with 32 bits: it tells two forms apart and keeps nothing secret. */
function short(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
