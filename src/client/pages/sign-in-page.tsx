import { redirect, useLocation } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { useRef, useState } from "react";
import type { RefObject } from "react";
import { routes, safeNext } from "../../shared/routes.ts";
import type { SiteInfo, Viewer } from "../../shared/users.ts";
import { errorField } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useSite } from "../session/site.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";
import { AuthForm } from "../sign-in/auth-form.tsx";
import type { Credentials } from "../sign-in/auth-form.tsx";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { CheckYourMail, emailOf, signupStateOf } from "../sign-in/check-your-mail.tsx";
import { PasskeySignIn, type SignedIn } from "../sign-in/passkey-sign-in.tsx";
import { SecondStepForm } from "../sign-in/second-step-form.tsx";
import { GoogleLink } from "../sign-in/google-link.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { isStillSignedIn, onSignedIn } from "../session/session.ts";
import { signInReason, withNext } from "../sign-in/with-next.ts";

const INTERESTS = "/select-interests";

export async function loader({ viewer, url }: PageRequest): Promise<PageFacts> {
  if (viewer && (await isStillSignedIn())) throw redirect(safeNext(url.searchParams.get("next")));
  return { title: "Sign In" };
}

export default function SignInPage() {
  const { search, state } = useLocation();
  // The server does not know the history's state: used after hydration.
  const hydrated = useHydrated();
  const mailed = hydrated ? signupStateOf(state) : null;
  const stateEmail = hydrated ? emailOf(state) : undefined;
  const { samples } = useSite();
  const form = useRef<HTMLFormElement>(null);
  const signIn = trpc.users.signIn.useMutation();
  const finishGoogle = trpc.users.finishGoogle.useMutation();
  const query = new URLSearchParams(search);
  const next = query.get("next");
  const reason = signInReason(next);
  // Credentials accepted so far; the second step follows.
  const [typedEmail, setTypedEmail] = useState<string>();
  const [credentials, setCredentials] = useState<Pick<Credentials, "email" | "password"> | null>(null);

  const finishSignIn = async ({ viewer, message, cursor }: SignedIn): Promise<void> => {
    const path = next ? safeNext(next) : firstPage(viewer);
    await onSignedIn({ ...viewer, cursor }, path);
    // The interests page welcomes new people itself.
    if (path !== INTERESTS) toast({ kind: "success", message });
  };
  const send = async ({ email, password }: Credentials): Promise<void> => {
    try {
      await finishSignIn(await signIn.mutateAsync({ email, password }));
    } catch (error) {
      if (errorField(error) !== "code") throw error;
      setCredentials({ email, password });
      setTypedEmail(email);
    }
  };
  if (credentials || query.get("step") === "google")
    return (
      // Remounted, so that the focus goes to the code and not to the title.
      <AuthFrame key="step" title="One more step">
        <SecondStepForm
          onCode={async (code) => {
            await finishSignIn(
              await (credentials
                ? signIn.mutateAsync({ ...credentials, code })
                : finishGoogle.mutateAsync({ code })),
            );
          }}
        />
        <PasskeySignIn onSignedIn={finishSignIn} />
        <p className="muted hairline-top auth-switch">
          {credentials ? (
            <Button onClick={() => setCredentials(null)}>Back</Button>
          ) : (
            <Link className="target ink medium" to={withNext("/signin", next)}>
              Back
            </Link>
          )}
        </p>
      </AuthFrame>
    );
  return (
    <AuthFrame title={mailed ? "Check your email" : stateEmail ? "Welcome" : "Welcome back"}>
      {mailed ? <CheckYourMail {...mailed} /> : reason && <p className="lead">{reason}</p>}
      <AuthForm kind="sign-in" form={form} email={stateEmail ?? typedEmail} onSend={send}>
        <p className="note">
          <Link to="/forgot-password">Forgot your password?</Link>
        </p>
      </AuthForm>
      {!mailed && <GoogleLink />}
      {!mailed && <PasskeySignIn onSignedIn={finishSignIn} />}
      {!mailed && samples.length > 0 && <DemoLogins samples={samples} form={form} />}
      <p className="muted hairline-top auth-switch">
        New here?{" "}
        <Link className="target ink medium" to={withNext("/signup", next)}>
          Sign Up
        </Link>
      </p>
    </AuthFrame>
  );
}

/** People without interests choose them first (docs/specification.md, 4.8). */
function firstPage(viewer: Viewer): string {
  return viewer.interests.length === 0 ? INTERESTS : routes.home();
}

/** The demo mode's logins: one click fills the form. */
function DemoLogins({
  samples,
  form,
}: Pick<SiteInfo, "samples"> & { form: RefObject<HTMLFormElement | null> }) {
  const fill = (email: string, password: string): void => {
    const { elements } = form.current ?? {};
    const set = (name: string, value: string): void => {
      const input = elements?.namedItem(name);
      if (input instanceof HTMLInputElement) input.value = value;
    };
    set("email", email);
    set("password", password);
    form.current?.querySelector<HTMLButtonElement>("[type=submit]")?.focus();
  };
  return (
    <section className="panel stack gap-2 auth-samples" aria-labelledby="samples-title">
      <h2 id="samples-title" className="title-s">
        Sample logins
      </h2>
      <ul className="stack gap-1">
        {samples.map(({ name, email, password }) => (
          <li key={email}>
            <button type="button" className="stack gap-0 hover-sunk" onClick={() => fill(email, password)}>
              <span className="small medium">{name}</span>
              <span className="muted auth-sample-login">{email}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="note">
        The password for each is <span className="muted auth-sample-login">{samples[0]?.password}</span>
      </p>
    </section>
  );
}
