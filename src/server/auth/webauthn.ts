import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { AppError } from "../../shared/errors.ts";
import type { Config } from "../config.ts";

type Site = Pick<Config, "publicUrl" | "siteName">;
/** It brings much along, which a site without passkeys never loads. */
const library = () => import("@simplewebauthn/server");
/** EdDSA, ES256 and RS256 of COSE: what devices make. Named, since the library would otherwise try out what is experimental yet. */
const algorithms = [-8, -7, -257];

/** A key as the store has it. */
export interface StoredKey {
  id: string;
  publicKey: string;
  counter: number;
  transports: string[];
}

/** Passkeys are bound to the host of the site's public address, and to be used on its pages alone. */
const party = ({ publicUrl }: Site) => ({
  id: new URL(publicUrl).hostname,
  origin: new URL(publicUrl).origin,
});

const named = ({ id, transports }: Pick<StoredKey, "id" | "transports">) => ({
  id,
  transports: transports as AuthenticatorTransport[],
});

/** What a browser is asked to make a key by: one that it finds by itself, and that asks its owner for a finger, a face or a PIN. */
export const creationOptions = async (
  site: Site,
  user: { id: string; name: string; email: string },
  known: StoredKey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    supportedAlgorithmIDs: algorithms,
    rpName: site.siteName,
    rpID: party(site).id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: "none",
    excludeCredentials: known.map(named),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });

/** The key that was made. Throws `bad_request` where it was not made here, or as it was asked. */
export async function checkCreated(site: Site, response: unknown, challenge: string): Promise<StoredKey> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    supportedAlgorithmIDs: algorithms,
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party(site).origin,
    expectedRPID: party(site).id,
    requireUserVerification: true,
  }).catch(refuse("bad_request"));
  if (!registrationInfo) throw refused("bad_request");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
}

/** What a browser is asked to sign in by: with whichever key it has for this site. */
export const requestOptions = async (site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({ rpID: party(site).id, userVerification: "required" });

/** Checks what a key answered, and gives its count of uses. Throws `unauthorized`. */
export async function checkAnswer(
  site: Site,
  response: unknown,
  challenge: string,
  key: StoredKey,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party(site).origin,
    expectedRPID: party(site).id,
    requireUserVerification: true,
    credential: {
      ...named(key),
      publicKey: new Uint8Array(Buffer.from(key.publicKey, "base64url")),
      counter: key.counter,
    },
  }).catch(refuse("unauthorized"));
  if (!verified) throw refused("unauthorized");
  return authenticationInfo.newCounter;
}

const refused = (code: "bad_request" | "unauthorized", cause?: unknown) =>
  new AppError(code, "We couldn’t verify that passkey. Please try again.", { cause });
const refuse =
  (code: "bad_request" | "unauthorized") =>
  (cause: unknown): never => {
    throw refused(code, cause);
  };
