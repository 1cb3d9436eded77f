import { expectDocumented } from "./expect-documented.ts";
import { password, type SignedInBrowser, type TestSite } from "./test-site.ts";

/** A response of /api/v1, loosely typed: tests say what they expect. */
// oxlint-disable-next-line typescript/no-explicit-any -- what an old client reads, it reads untyped
export type Answer = { status: number; headers: Headers; body: any };

/**
 * A client of /api/v1 like existing ones: plain HTTP with a bearer token. Checks every response against the OpenAPI document.
 */
export class ApiClient {
  readonly token: string | undefined;
  readonly #base: string;

  constructor(testSite: TestSite, token?: string) {
    this.#base = `${testSite.url}/api/v1`;
    this.token = token;
  }

  /** Signs a resident in over the REST API. */
  static async of(testSite: TestSite, person: SignedInBrowser): Promise<ApiClient> {
    const { body } = await new ApiClient(testSite).call("POST", "/signin", { email: person.email, password });
    return new ApiClient(testSite, body.user.token);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData;
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isForm ? body : typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = text.startsWith("{") ? JSON.parse(text) : text;
    await expectDocumented(method, response, answer);
    return { status: response.status, headers: response.headers, body: answer };
  }
}

/** Returns the blog form as clients send it. */
export function blogForm(
  fields: Record<string, string | undefined> = {},
  files: Record<string, Blob> = {},
): FormData {
  const form = new FormData();
  const formFields: Record<string, string | undefined> = {
    title: "A walk at night",
    description: "What one hears.",
    content: JSON.stringify("<p>Owls, mostly.</p>"),
    draft: "false",
    private: "false",
    tags: JSON.stringify(["night"]),
    ...fields,
  };
  for (const [name, value] of Object.entries(formFields)) if (value !== undefined) form.append(name, value);
  for (const [name, file] of Object.entries(files)) form.append(name, file, `${name}.png`);
  return form;
}
