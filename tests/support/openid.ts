import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export const client = { id: "reprise-test", secret: "a secret of the test alone, long enough" };

/**
 * A real OpenID provider on loopback in place of Google: a person who signs in as `name` has the address `name@example.org`.
 */
export class OpenIdProvider implements AsyncDisposable {
  readonly issuer: string;
  /** The claims of people, by their name at the provider. */
  readonly people: Map<string, { email: string; email_verified: boolean; name: string }>;
  readonly #server: Server;

  private constructor(server: Server, issuer: string, people: OpenIdProvider["people"]) {
    this.#server = server;
    this.issuer = issuer;
    this.people = people;
  }

  static async start(redirectUri: string): Promise<OpenIdProvider> {
    const people: OpenIdProvider["people"] = new Map();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [redirectUri],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
        {
          client_id: "another-site",
          client_secret: client.secret,
          redirect_uris: [redirectUri],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      cookies: { keys: ["for the test alone"] },
      features: { introspection: { enabled: true }, devInteractions: { enabled: true } },
      findAccount: (_ctx, id) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          ...(people.get(id) ?? { email: `${id}@example.org`, email_verified: true, name: id }),
        }),
      }),
    });
    const answer = provider.callback();
    server.on("request", (request, response) => void answer(request, response));
    return new OpenIdProvider(server, issuer, people);
  }

  /** Goes through the provider's pages as a person who signs in and agrees; returns the address that it redirects back to. */
  async agree(address: string, login: string, home: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next: { url: string; form?: URLSearchParams } = { url: address };
    for (let steps = 0; steps < 20; steps++) {
      const response = await fetch(next.url, {
        redirect: "manual",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(next.form ? { method: "POST", body: next.form } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location) {
        const target = new URL(location, next.url).href;
        if (target.startsWith(home)) return target;
        next = { url: target };
        continue;
      }
      const page = await response.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!action || !prompt)
        throw new Error(`The provider answered ${response.status}: ${page.slice(0, 500)}`);
      next = {
        url: new URL(action, next.url).href,
        form: new URLSearchParams(prompt === "login" ? { prompt, login, password: "any" } : { prompt }),
      };
    }
    throw new Error("The provider's pages have no end.");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
