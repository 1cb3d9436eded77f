import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { AppError } from "../../shared/errors.ts";
import type { Config } from "../runtime/config.ts";

type Site = Pick<Config, "publicUrl" | "siteName">;
/** Loaded on first use, since it is large. */
const library = () => import("@simplewebauthn/server");
/** EdDSA, ES256 and RS256 (COSE), which devices create. The library's default includes experimental ones. */
const algorithms = [-8, -7, -257];

export interface StoredPasskey {
  id: string;
  publicKey: string;
  counter: number;
  transports: string[];
}

/** The relying party: passkeys are bound to the public host and its pages. */
const relyingParty = ({ publicUrl }: Site) => ({
  id: new URL(publicUrl).hostname,
  origin: new URL(publicUrl).origin,
});

const credentialOf = ({ id, transports }: Pick<StoredPasskey, "id" | "transports">) => ({
  id,
  transports: transports as AuthenticatorTransport[],
});

/** Returns options for a discoverable passkey with user verification. */
export const registrationOptions = async (
  site: Site,
  user: { id: string; name: string; email: string },
  existing: StoredPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    supportedAlgorithmIDs: algorithms,
    rpName: site.siteName,
    rpID: relyingParty(site).id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: "none",
    excludeCredentials: existing.map(credentialOf),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });

/** Verifies and returns a created passkey. Throws `bad_request` if it does not match challenge, site or options. */
export async function verifyRegistration(
  site: Site,
  response: unknown,
  challenge: string,
): Promise<StoredPasskey> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    supportedAlgorithmIDs: algorithms,
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty(site).origin,
    expectedRPID: relyingParty(site).id,
    requireUserVerification: true,
  }).catch(refuse("bad_request"));
  if (!registrationInfo || !isOfOwnPage(response)) throw notVerified("bad_request");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
}

/** Returns options to sign in with any passkey for this site. */
export const authenticationOptions = async (site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({
    rpID: relyingParty(site).id,
    userVerification: "required",
  });

/** Verifies a passkey's response and returns its signature counter. Throws `unauthorized`. */
export async function verifyAuthentication(
  site: Site,
  response: unknown,
  challenge: string,
  key: StoredPasskey,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty(site).origin,
    expectedRPID: relyingParty(site).id,
    requireUserVerification: true,
    credential: {
      ...credentialOf(key),
      publicKey: new Uint8Array(Buffer.from(key.publicKey, "base64url")),
      counter: key.counter,
    },
  }).catch(refuse("unauthorized"));
  if (!verified || !isOfOwnPage(response)) throw notVerified("unauthorized");
  return authenticationInfo.newCounter;
}

/** Whether a verified response comes from a page that is in no other site's page. */
function isOfOwnPage(response: unknown): boolean {
  const { clientDataJSON } = (response as RegistrationResponseJSON | AuthenticationResponseJSON).response;
  const client = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as Record<string, unknown>;
  return !client.crossOrigin && client.topOrigin === undefined;
}

const notVerified = (code: "bad_request" | "unauthorized", cause?: unknown) =>
  new AppError(code, "We couldn’t verify that passkey. Please try again.", { cause });
const refuse =
  (code: "bad_request" | "unauthorized") =>
  (cause: unknown): never => {
    throw notVerified(code, cause);
  };
