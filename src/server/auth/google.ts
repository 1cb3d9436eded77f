import { CodeChallengeMethod, OAuth2Client, generateCodeVerifier, generateState } from "arctic";
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { Config } from "../runtime/config.ts";

/** A person according to Google, which has verified the address. */
export interface GoogleIdentity {
  googleId: string;
  email: string;
  name: string;
}

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  introspection_endpoint: z.url().optional(),
});
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string(),
  email_verified: z.union([z.boolean(), z.string().transform((value) => value === "true")]).optional(),
  name: z.string().optional(),
});

/** The endpoint that names an access token's client; Google's discovery document lacks it. */
const googleTokenInfo = "https://oauth2.googleapis.com/tokeninfo";
const timeoutMs = 8_000;

/** Sign-in with Google: OpenID Connect via arctic, authorization code with PKCE. */
export class GoogleSignIn {
  readonly #config: NonNullable<Config["google"]>;
  readonly #client: OAuth2Client;
  #discovered: Promise<{ endpoints: z.output<typeof Discovery>; keys: JWTVerifyGetKey }> | undefined;

  constructor(google: NonNullable<Config["google"]>, publicUrl: string) {
    this.#config = google;
    this.#client = new OAuth2Client(google.clientId, google.clientSecret, `${publicUrl}/google/callback`);
  }

  /** Returns where to send the browser; keep `state` and `verifier` in a cookie. */
  async begin(): Promise<{ url: URL; state: string; verifier: string }> {
    const { endpoints } = await this.#discover();
    const state = generateState();
    const verifier = generateCodeVerifier();
    const url = this.#client.createAuthorizationURLWithPKCE(
      endpoints.authorization_endpoint,
      state,
      CodeChallengeMethod.S256,
      verifier,
      ["openid", "profile", "email"],
    );
    return { url, state, verifier };
  }

  /** Returns the person behind Google's code. Throws `unauthorized`. */
  async finish(code: string, verifier: string): Promise<GoogleIdentity> {
    const { endpoints } = await this.#discover();
    const idToken = await this.#client
      .validateAuthorizationCode(endpoints.token_endpoint, code, verifier)
      .then((tokens) => tokens.idToken())
      .catch(rethrow);
    return this.#fromIdToken(idToken);
  }

  /** Returns the person behind a client's token, which must be issued to this site. Throws `unauthorized`. */
  async identify(token: string): Promise<GoogleIdentity> {
    return token.split(".").length === 3 && token.startsWith("eyJ")
      ? this.#fromIdToken(token).catch(() => this.#fromAccessToken(token))
      : this.#fromAccessToken(token);
  }

  async #fromIdToken(token: string): Promise<GoogleIdentity> {
    const { endpoints, keys } = await this.#discover();
    const { payload } = await jwtVerify(token, keys, {
      issuer: [endpoints.issuer, this.#config.issuer],
      audience: this.#config.clientId,
    }).catch(rethrow);
    return identityOf(payload);
  }

  async #fromAccessToken(token: string): Promise<GoogleIdentity> {
    const { endpoints } = await this.#discover();
    const audience = endpoints.introspection_endpoint
      ? await this.#introspect(endpoints.introspection_endpoint, token)
      : await fetchAudience(token);
    // A token issued to another site must not sign anyone in.
    if (audience !== this.#config.clientId || !endpoints.userinfo_endpoint) throw notOurs();
    return identityOf(
      await getJson(endpoints.userinfo_endpoint, { headers: { authorization: `Bearer ${token}` } }),
    );
  }

  async #introspect(endpoint: string, token: string): Promise<string | undefined> {
    const { clientId, clientSecret } = this.#config;
    const answer = await getJson(endpoint, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64")}`,
      },
      body: new URLSearchParams({ token }),
    });
    const { active, client_id: clientIdOfToken } = z
      .object({ active: z.boolean(), client_id: z.string().optional() })
      .parse(answer);
    return active ? clientIdOfToken : undefined;
  }

  #discover() {
    this.#discovered ??= (async () => {
      const endpoints = Discovery.parse(
        await getJson(`${this.#config.issuer}/.well-known/openid-configuration`),
      );
      return { endpoints, keys: createRemoteJWKSet(new URL(endpoints.jwks_uri)) };
    })();
    return this.#discovered.catch((cause: unknown) => {
      this.#discovered = undefined;
      throw unreachable(cause);
    });
  }
}

async function fetchAudience(token: string): Promise<string | undefined> {
  const { aud } = z
    .object({ aud: z.string().optional() })
    .parse(await getJson(`${googleTokenInfo}?${new URLSearchParams({ access_token: token })}`));
  return aud;
}

function identityOf(claims: unknown): GoogleIdentity {
  const parsed = Claims.safeParse(claims);
  if (!parsed.success || !parsed.data.email_verified)
    throw new AppError("unauthorized", "Google hasn’t confirmed that this email address is yours.");
  const { sub, email, name } = parsed.data;
  return {
    googleId: sub,
    email: email.trim().toLowerCase(),
    name: name?.trim() || (email.split("@")[0] ?? "Writer"),
  };
}

/** Throws `unauthorized` for an error response, `unavailable` for none. */
async function getJson(url: string, init: RequestInit = {}): Promise<unknown> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return await response.json();
  } catch (cause) {
    throw unreachable(cause);
  }
  throw notOurs();
}

const unreachable = (cause: unknown) =>
  new AppError(
    "unavailable",
    "We can’t reach Google right now. Please try again, or sign in with your password.",
    { retryAfter: 30, cause },
  );

const notOurs = (cause?: unknown) =>
  new AppError("unauthorized", "Google didn’t confirm this sign-in. Please try again.", { cause });
const rethrow = (cause: unknown): never => {
  throw cause instanceof AppError ? cause : notOurs(cause);
};
