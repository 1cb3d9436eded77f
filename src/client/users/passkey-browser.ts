import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** Has the device make a passkey; loaded when somebody asks for it. The options come from the server as they are. */
export const makePasskey = (options: object) =>
  answered(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));

/** Has the device sign in with one. */
export const askPasskey = (options: object) =>
  answered(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));

async function answered<Answer extends { response: object }>(asked: Promise<Answer>) {
  try {
    const { response, ...rest } = await asked;
    return { answer: { ...rest, response: { ...response } } };
  } catch (error) {
    return { problem: words[(error as Error).name] ?? "This device could not do that. Please try again." };
  }
}

const words: Record<string, string> = {
  // The person closed the device's question, or had no passkey to answer with: browsers do not say which.
  NotAllowedError: "No passkey was used. Please try again.",
  AbortError: "No passkey was used. Please try again.",
  InvalidStateError: "This device has a passkey for your account already.",
  SecurityError: "Passkeys work at this site’s own address alone, and over https.",
  NotSupportedError: "This device can’t make a passkey.",
};
