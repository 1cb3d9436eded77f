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
    return { problem: words[(error as Error).name] ?? "That didn’t work on this device. Please try again." };
  }
}

const words: Record<string, string> = {
  // The person closed the device's question, or had no passkey to answer with: browsers do not say which.
  NotAllowedError: "No passkey was used. Please try again.",
  AbortError: "No passkey was used. Please try again.",
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys only work at this site’s own address over https.",
  NotSupportedError: "This device can’t create a passkey.",
};
