import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { safeNext } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Redirect } from "../app/page.ts";
import type { PageFacts, PageRequest } from "../app/page.ts";
import { useSite } from "../app/site.ts";
import { AuthForm } from "../users/auth-form.tsx";
import type { Credentials } from "../users/auth-form.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";
import { GoogleLink } from "../users/google-link.tsx";
import { ResendVerification } from "../users/resend.tsx";
import { withNext } from "../users/with-next.ts";

export function prefetch({ viewer, url }: PageRequest): PageFacts {
  if (viewer) throw new Redirect(safeNext(url.searchParams.get("next")));
  return { title: "Sign Up", description: "Write, read and follow people who write." };
}

export default function SignUpPage() {
  const { name } = useSite();
  const next = new URLSearchParams(useLocation().search).get("next");
  const { mutateAsync } = trpc.users.signUp.useMutation();
  const [sent, setSent] = useState<{ email: string; message: string } | null>(null);

  const send = async (credentials: Credentials): Promise<void> => {
    const { message } = await mutateAsync(credentials);
    setSent({ email: credentials.email, message });
  };
  return (
    <AuthFrame title={sent ? "Check your mail" : `Join ${name}`}>
      {sent ? <CheckYourMail {...sent} /> : <AuthForm kind="sign-up" onSend={send} />}
      {!sent && <GoogleLink />}
      <p className="auth-switch">
        {sent ? "Confirmed already?" : "Already have an account?"}{" "}
        <Link to={withNext("/signin", next)}>Sign In</Link>
      </p>
    </AuthFrame>
  );
}

/** The same for every address, also for one that has an account: the mail says the rest. */
function CheckYourMail({ email, message }: { email: string; message: string }) {
  return (
    <>
      <div role="status">
        <p className="auth-text">{message}</p>
        <p className="auth-note">
          It went to <strong>{email}</strong>. Nothing there after a few minutes? Look into the spam folder,
          or have it sent again.
        </p>
      </div>
      <ResendVerification email={email} />
    </>
  );
}
