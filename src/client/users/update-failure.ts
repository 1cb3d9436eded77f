import { errorCode, errorMessage } from "../api/errors.ts";
import { askToSignIn } from "../social/failure.ts";
import { toast } from "../ui/toasts.tsx";

/** Says that a change of the account was taken back, and offers to make it again. */
export function tellUpdateFailure(
  error: unknown,
  navigate: (to: string) => void | Promise<void>,
  retry: () => void,
  fallback: string,
): void {
  if (errorCode(error) === "UNAUTHORIZED")
    return askToSignIn("You are signed out. Please sign in again.", navigate);
  const isHopeless = errorCode(error) === "NOT_FOUND" || errorCode(error) === "FORBIDDEN";
  const again = isHopeless ? {} : { action: { label: "Retry", run: retry } };
  toast({ kind: "error", message: errorMessage(error, fallback), ...again });
}
