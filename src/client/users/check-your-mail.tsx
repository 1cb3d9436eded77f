import { useSite } from "../session/site.ts";
import { ResendVerification } from "./resend.tsx";

/** What signing up leaves in the history's state for the page that it leads to. */
export interface Mailed {
  email: string;
  message: string;
}

/** What confirming an address leaves there: it need not be typed again. */
export type Confirmed = Pick<Mailed, "email">;

/** The address that one of them left. */
export function emailOf(state: unknown): string | undefined {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === "string" ? email : undefined;
}

/** Reads it, whatever a state from elsewhere may hold. */
export function mailedOf(state: unknown): Mailed | null {
  const { email, message } = (state ?? {}) as Partial<Record<keyof Mailed, unknown>>;
  return typeof email === "string" && typeof message === "string" ? { email, message } : null;
}

/** The same for every address, also for one that has an account: the mail says the rest. */
export function CheckYourMail({ email, message }: Mailed) {
  const { keepsMail } = useSite();
  return (
    <>
      <div role="status">
        <p className="auth-text">{message}</p>
        {keepsMail ? (
          <p className="auth-note">
            This site has no mail server yet. The email to <strong>{email}</strong> is the newest file in{" "}
            <code>outbox</code>, in the site’s data folder. The terminal that the site was started in shows
            its link, too.
          </p>
        ) : (
          <p className="auth-note">
            We sent it to <strong>{email}</strong>. Not there after a few minutes? Check your spam folder, or
            send it again.
          </p>
        )}
      </div>
      <ResendVerification email={email} />
      <p className="auth-or">Already confirmed?</p>
    </>
  );
}
