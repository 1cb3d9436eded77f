import { Ajv2020 } from "ajv/dist/2020.js";

/** The part of /api/v1/openapi.json that describes responses. */
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
}

/** Checks responses against the document. */
interface Check {
  document: Document;
  ajv: Ajv2020;
  /** Returns the documented path of a requested one, or undefined for an unknown call. */
  pathOf: (method: string, path: string) => string | undefined;
}

/** Forbids properties that an object's schema does not describe. */
const withoutAdditionalProperties = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties);
  if (schema === null || typeof schema !== "object") return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutAdditionalProperties(value)]),
  );
  return inside.type === "object" ? { additionalProperties: false, ...inside } : inside;
};

async function readDocument(site: string): Promise<Check> {
  const document = (await (await fetch(`${site}/api/v1/openapi.json`)).json()) as Document;
  // Clients can rely on the documented fields; here no others are allowed either.
  const ajv = new Ajv2020({ strict: false }).addSchema({
    $id: "document",
    ...(withoutAdditionalProperties(document) as object),
  });
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    // A literal segment goes before a parameter.
    parameters: path.split("{").length,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  paths.sort((one, other) => one.parameters - other.parameters);
  const pathOf = (method: string, requestPath: string) =>
    paths.find(
      ({ path, pattern }) =>
        pattern.test(requestPath) && document.paths[path]?.[method.toLowerCase()] !== undefined,
    )?.path;
  return { document, ajv, pathOf };
}

/** Read once for all sites: it describes the code, whatever the site's name. */
let cachedCheck: Promise<Check> | undefined;

const schemaAt = (ajv: Ajv2020, keys: string[]) => {
  const steps = keys.map((key) => encodeURIComponent(key.replace(/~/g, "~0").replace(/\//g, "~1")));
  return ajv.getSchema(`document#/${steps.join("/")}`);
};

function schemaOf({ ajv, document, pathOf }: Check, method: string, requestPath: string, status: number) {
  const path = pathOf(method, requestPath);
  if (path === undefined) return schemaAt(ajv, ["components", "schemas", "Failure"]);
  const keys = ["paths", path, method.toLowerCase(), "responses"];
  const statuses = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
  const key = [`${status}`, `${Math.floor(status / 100)}XX`].find((candidate) =>
    statuses.includes(candidate),
  );
  return key && schemaAt(ajv, [...keys, key, "content", "application/json", "schema"]);
}

/** Throws if /api/v1/openapi.json does not describe this response. */
export async function expectDocumented(
  method: string,
  { url, status }: Pick<Response, "url" | "status">,
  body: unknown,
): Promise<void> {
  const { origin, pathname } = new URL(url);
  if (method === "OPTIONS" || pathname === "/api/v1/openapi.json") return;
  const check = await (cachedCheck ??= readDocument(origin));
  const call = `${method} ${pathname.slice(0, 200)} → ${status}`;
  const isShape = schemaOf(check, method, pathname, status);
  if (!isShape) throw new Error(`${call} is not in the document.`);
  if (!isShape(body))
    throw new Error(`${call} is not as documented: ${check.ajv.errorsText(isShape.errors)}`);
}
