import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, isUnanswered } from "../api/errors.ts";
import { toast } from "../ui/toasts.tsx";

/** Returns when a change will be sent, such as "in 4 seconds". */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return `in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}

/** Says when a change will be sent that the server does not accept now. */
export function showLimited(ms: number): void {
  toast({ message: `You’re doing that too fast. It will be sent ${waitText(ms)}.` });
}

type Navigate = (to: string) => void | Promise<void>;

/** The current address, for the way back from /signin. */
const currentAddress = (): string => location.pathname + location.search + location.hash;

/** Asks a guest to sign in before something that needs an account. */
export function askToSignIn(message: string, navigate: Navigate, back = currentAddress()): void {
  toast({ message, action: { label: "Sign In", run: () => void navigate(routes.signIn(back)) } });
}

/**
 * Shows why something failed, with a Retry button where that may help. `fallback` is the specification's text where the server
 * gives no reason.
 */
export function showFailure(error: unknown, navigate: Navigate, retry: () => void, fallback?: string): void {
  const code = errorCode(error);
  if (code === "UNAUTHORIZED") return askToSignIn("You’re signed out. Please sign in again.", navigate);
  const isUnreachable = fallback === undefined && isUnanswered(error);
  const message = isUnreachable
    ? "We can’t reach the server."
    : errorMessage(error, fallback ?? messages.wrong);
  const isFinal = code === "NOT_FOUND" || code === "FORBIDDEN";
  toast({ kind: "error", message, ...(isFinal ? {} : { action: { label: "Retry", run: retry } }) });
}
