import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** Asks the device for a new passkey, with the server's options. */
export const createPasskey = (options: object) =>
  toAnswer(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));

/** Asks the device to sign in with a passkey. */
export const requestPasskey = (options: object) =>
  toAnswer(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));

async function toAnswer<Answer extends { response: object }>(promise: Promise<Answer>) {
  try {
    const { response, ...rest } = await promise;
    return { answer: { ...rest, response: { ...response } } };
  } catch (error) {
    return {
      problem: problems[(error as Error).name] ?? "That didn’t work on this device. Please try again.",
    };
  }
}

const problems: Record<string, string> = {
  // The person closed the prompt or had no passkey: browsers do not say which.
  NotAllowedError: "No passkey was used. Please try again.",
  AbortError: "No passkey was used. Please try again.",
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys only work at this site’s own address over https.",
  NotSupportedError: "This device can’t create a passkey.",
};
