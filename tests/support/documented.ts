import { Ajv2020 } from "ajv/dist/2020.js";

/** The part of /api/v1/openapi.json that says what is answered. */
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
}

/** What checks answers against the document. */
interface Check {
  document: Document;
  ajv: Ajv2020;
  /** The path as the document has it, of a path as it is asked for; undefined where there is no such call. */
  pathOf: (method: string, path: string) => string | undefined;
}

/** No object has fields but those that it describes. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inside.type === "object" ? { additionalProperties: false, ...inside } : inside;
};

async function readDocument(site: string): Promise<Check> {
  const document = (await (await fetch(`${site}/api/v1/openapi.json`)).json()) as Document;
  // The document says what every client may rely on, and here also all that there is.
  const ajv = new Ajv2020({ strict: false }).addSchema({ $id: "document", ...(closed(document) as object) });
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    // A part that is named goes before one that may be anything.
    parameters: path.split("{").length,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  paths.sort((one, other) => one.parameters - other.parameters);
  const pathOf = (method: string, asked: string) =>
    paths.find(
      ({ path, pattern }) =>
        pattern.test(asked) && document.paths[path]?.[method.toLowerCase()] !== undefined,
    )?.path;
  return { document, ajv, pathOf };
}

/** One for all towns: it describes the code, whatever the site is called. */
let read: Promise<Check> | undefined;

const shapeAt = (ajv: Ajv2020, place: string[]) => {
  const steps = place.map((key) => encodeURIComponent(key.replace(/~/g, "~0").replace(/\//g, "~1")));
  return ajv.getSchema(`document#/${steps.join("/")}`);
};

function shapeOf({ ajv, document, pathOf }: Check, method: string, asked: string, status: number) {
  const path = pathOf(method, asked);
  if (path === undefined) return shapeAt(ajv, ["components", "schemas", "Failure"]);
  const place = ["paths", path, method.toLowerCase(), "responses"];
  const said = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
  const key = [`${status}`, `${Math.floor(status / 100)}XX`].find((one) => said.includes(one));
  return key && shapeAt(ajv, [...place, key, "content", "application/json", "schema"]);
}

/** Fails where /api/v1/openapi.json says something else of this call than what it answered with. */
export async function expectDocumented(
  method: string,
  { url, status }: Pick<Response, "url" | "status">,
  body: unknown,
): Promise<void> {
  const { origin, pathname } = new URL(url);
  if (method === "OPTIONS" || pathname === "/api/v1/openapi.json") return;
  const check = await (read ??= readDocument(origin));
  const what = `${method} ${pathname.slice(0, 200)} → ${status}`;
  const isShape = shapeOf(check, method, pathname, status);
  if (!isShape) throw new Error(`${what} is not in the document.`);
  if (!isShape(body))
    throw new Error(`${what} is not as documented: ${check.ajv.errorsText(isShape.errors)}`);
}
