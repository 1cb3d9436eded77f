/* The parts of OpenAPI 3.1 that the page about the API renders (/api/v1/openapi.json, generated from the schemas that
   validate the calls). */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

type Content = Record<string, { schema?: Schema }>;

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content?: Content };
  security?: unknown[];
  responses?: Record<string, { content?: Content }>;
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

export interface Call {
  /** The page's fragment: `get-blogs-blogId`. */
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  needsToken: boolean;
  parameters: Parameter[];
  body: Schema | undefined;
  /** A multipart form's fields, as text. */
  form: string | undefined;
  answer: Schema | undefined;
}

const JSON_TYPE = "application/json";

/** Both in the document's order. */
export function callsByTag({ paths }: OpenApi): { tag: string; calls: Call[] }[] {
  const groups = new Map<string, Call[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const call = callOf(method.toUpperCase(), path, operation);
      groups.set(call.tag, [...(groups.get(call.tag) ?? []), call]);
    }
  }
  return [...groups].map(([tag, calls]) => ({ tag, calls }));
}

function callOf(method: string, path: string, operation: Operation): Call {
  const { parameters = [], requestBody, responses = {}, description } = operation;
  const isForm = description?.startsWith("Fields:") ?? false;
  return {
    id: anchorOf(method, path),
    method,
    path,
    tag: operation.tags?.[0] ?? "Other",
    summary: operation.summary ?? "",
    needsToken: (operation.security?.length ?? 0) > 0,
    parameters,
    body: requestBody?.content?.[JSON_TYPE]?.schema,
    form: isForm ? description : undefined,
    answer: responses["200"]?.content?.[JSON_TYPE]?.schema,
  };
}

const anchorOf = (method: string, path: string): string =>
  [method.toLowerCase(), ...path.replace("/api/v1", "").split(/[^A-Za-z0-9-]+/)].filter(Boolean).join("-");

/** `#/components/schemas/Card` → `Card`. */
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);
export const schemaAnchor = (name: string): string => `shape-${name}`;

/** Returns the named schemas that these calls use, by name. */
export function schemasOf({ components }: OpenApi, calls: readonly Call[]): [name: string, shape: Schema][] {
  const schemas = components?.schemas ?? {};
  const referenced = new Map<string, Schema>();
  const visit = (schema: Schema | undefined): void => {
    if (!schema) return;
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
      const shape = schemas[name];
      if (!shape || referenced.has(name)) return;
      referenced.set(name, shape);
      visit(shape);
    }
    visit(schema.items);
    schema.anyOf?.forEach(visit);
    Object.values(schema.properties ?? {}).forEach(visit);
  };
  for (const { body, answer, parameters } of calls) {
    visit(body);
    visit(answer);
    for (const { schema } of parameters) visit(schema);
  }
  return [...referenced].sort(([one], [other]) => one.localeCompare(other, "en"));
}

/** A part of a type in TypeScript: text, or a schema's name. */
export type TypePart = string | { shape: string };

/** For example `["string | null"]`, `[{ shape: "Card" }, "[]"]`. */
export function typeOf(schema: Schema): TypePart[] {
  if (schema.$ref) return [{ shape: nameOf(schema.$ref) }];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  if (schema.anyOf)
    return schema.anyOf.flatMap((one, index) => (index > 0 ? [" | ", ...typeOf(one)] : typeOf(one)));
  const types = [schema.type ?? "object"].flat();
  if (types.includes("array")) return [...typeOf(schema.items ?? {}), "[]"];
  return [types.join(" | ")];
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}";

export function boundsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, maxItems, pattern } = schema;
  const isSafeLimit = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const number = (value: number): string => value.toLocaleString("en");
  return [
    pattern?.includes(UUID) ? "a UUID" : "",
    minLength !== undefined && minLength > 1 ? `at least ${number(minLength)} characters` : "",
    maxLength === undefined ? "" : `at most ${number(maxLength)} characters`,
    minimum !== undefined && isSafeLimit ? `${number(minimum)} to ${number(maximum)}` : "",
    minimum !== undefined && !isSafeLimit ? `from ${number(minimum)}` : "",
    maxItems === undefined ? "" : `at most ${number(maxItems)}`,
    schema.default === undefined ? "" : `${JSON.stringify(schema.default)} where it is missing`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Returns a schema's or its items' fields; none of a named schema. */
export function fieldsOf(schema: Schema): { name: string; schema: Schema; isOptional: boolean }[] {
  if (schema.items) return fieldsOf(schema.items);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    isOptional: !(schema.required ?? []).includes(name),
  }));
}

export function curlOf({ method, path, needsToken, parameters, body, form }: Call, server: string): string {
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema = {} }) => `${name}=${encodeURIComponent(String(exampleOf(name, schema)))}`);
  const address =
    server +
    path.replace(/\{(\w+)\}/g, (_all, name: string) => placeholder(name)) +
    (query.length > 0 ? `?${query.join("&")}` : "");
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(address)}`,
    ...(needsToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(body
      ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(exampleOf("", body)))}`]
      : []),
    ...(form
      ? [
          `-F 'title=A morning in the workshop'`,
          `-F 'content="<p>It began with a hinge.</p>"'`,
          `-F 'tags=["wood"]'`,
          `-F 'image=@cover.jpg'`,
        ]
      : []),
  ].join(" \\\n  ");
}

/** `blogId` → `BLOG_ID`: curl interprets braces. */
const placeholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
const quoted = (text: string): string => `'${text.replace(/'/g, String.raw`'\''`)}'`;

const samples: Record<string, unknown> = {
  email: "ana@example.org",
  password: "correct horse battery",
  name: "Ana Torres",
  username: "ana",
  bio: "Makes chairs.",
  search: "chess",
  comment: "I read this twice.",
  reply: "So did I.",
  updatedCommentContent: "I read this three times.",
  interests: ["chess", "gardening"],
};

function exampleOf(name: string, schema: Schema): unknown {
  if (schema.default !== undefined && schema.default !== "") return schema.default;
  if (samples[name] !== undefined) return samples[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, field]) => [key, exampleOf(key, field)]),
    );
  const [type] = [schema.type ?? schema.anyOf?.[0]?.type ?? "string"].flat();
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "array") return schema.items ? [exampleOf("", schema.items)] : [];
  return placeholder(name) || "TEXT";
}
