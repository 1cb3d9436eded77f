import { useSite } from "../session/site.ts";
import { ResendVerification } from "./resend.tsx";

/** The history state that sign-up passes to the next page. */
export interface SignupState {
  email: string;
  message: string;
}

/** The history state after confirming an address, which prefills the form. */
export type ConfirmedState = Pick<SignupState, "email">;

/** Returns the email address of either history state. */
export function emailOf(state: unknown): string | undefined {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === "string" ? email : undefined;
}

/** Returns sign-up's history state; null for any other. */
export function signupStateOf(state: unknown): SignupState | null {
  const { email, message } = (state ?? {}) as Partial<Record<keyof SignupState, unknown>>;
  return typeof email === "string" && typeof message === "string" ? { email, message } : null;
}

/** The same for every address, even one with an account: the email says the rest. */
export function CheckYourMail({ email, message }: SignupState) {
  const { keptMail } = useSite();
  return (
    <>
      <div className="stack" role="status">
        <p className="lead">{message}</p>
        {keptMail ? (
          <p className="note">
            This site has no mail server yet. The email to <strong>{email}</strong> is the newest file in{" "}
            <code>outbox</code>, in the site’s data folder.
            {keptMail === "terminal" && " The terminal that the site was started in shows its link, too."}
          </p>
        ) : (
          <p className="note">
            We sent it to <strong>{email}</strong>. Not there after a few minutes? Check your spam folder, or
            send it again.
          </p>
        )}
      </div>
      <ResendVerification email={email} />
      <p className="row gap-3 note auth-or">Already confirmed?</p>
    </>
  );
}
