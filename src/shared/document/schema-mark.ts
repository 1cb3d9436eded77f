import { schema } from "./schema.ts";

/**
 * A fingerprint of the schema: pages and the server can exchange steps only if it is equal. It changes with the names of nodes,
 * marks and attributes, and with the content rules.
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

/** Returns the FNV-1a hash with 32 bits, not cryptographic. */
function short(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
