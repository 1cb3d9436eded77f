import { Link, redirect, useLocation } from "react-router-dom";
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
import { AuthForm } from "../auth/auth-form.tsx";
import type { Credentials } from "../auth/auth-form.tsx";
import { AuthFrame } from "../auth/auth-frame.tsx";
import { CheckYourMail, emailOf, signupStateOf } from "../auth/check-your-mail.tsx";
import { PasskeySignIn, type SignedIn } from "../auth/passkey-sign-in.tsx";
import { SecondStepForm } from "../auth/second-step-form.tsx";
import { GoogleLink } from "../auth/google-link.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { isStillSignedIn, onSignedIn } from "../session/session.ts";
import { signInReason, withNext } from "../auth/with-next.ts";

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
  const known = hydrated ? emailOf(state) : undefined;
  const { samples } = useSite();
  const form = useRef<HTMLFormElement>(null);
  const signIn = trpc.users.signIn.useMutation();
  const finishGoogle = trpc.users.finishGoogle.useMutation();
  const query = new URLSearchParams(search);
  const next = query.get("next");
  const why = signInReason(next);
  // Credentials accepted so far; the second step follows.
  const [typed, setTyped] = useState<string>();
  const [given, setGiven] = useState<Pick<Credentials, "email" | "password"> | null>(null);

  const arrive = async ({ viewer, message, cursor }: SignedIn): Promise<void> => {
    const to = next ? safeNext(next) : firstPage(viewer);
    await onSignedIn({ ...viewer, cursor }, to);
    // The interests page welcomes new people itself.
    if (to !== INTERESTS) toast({ kind: "success", message });
  };
  const send = async ({ email, password }: Credentials): Promise<void> => {
    try {
      await arrive(await signIn.mutateAsync({ email, password }));
    } catch (error) {
      if (errorField(error) !== "code") throw error;
      setGiven({ email, password });
      setTyped(email);
    }
  };
  if (given || query.get("step") === "google")
    return (
      // Remounted, so that the focus goes to the code and not to the title.
      <AuthFrame key="step" title="One more step">
        <SecondStepForm
          onCode={async (code) => {
            await arrive(
              await (given ? signIn.mutateAsync({ ...given, code }) : finishGoogle.mutateAsync({ code })),
            );
          }}
        />
        <PasskeySignIn onSignedIn={arrive} />
        <p className="auth-switch">
          {given ? (
            <Button onClick={() => setGiven(null)}>Back</Button>
          ) : (
            <Link to={withNext("/signin", next)}>Back</Link>
          )}
        </p>
      </AuthFrame>
    );
  return (
    <AuthFrame title={mailed ? "Check your email" : known ? "Welcome" : "Welcome back"}>
      {mailed ? <CheckYourMail {...mailed} /> : why && <p className="auth-text">{why}</p>}
      <AuthForm kind="sign-in" form={form} email={known ?? typed} onSend={send}>
        <p className="auth-note">
          <Link to="/forgot-password">Forgot your password?</Link>
        </p>
      </AuthForm>
      {!mailed && <GoogleLink />}
      {!mailed && <PasskeySignIn onSignedIn={arrive} />}
      {!mailed && samples.length > 0 && <DemoLogins samples={samples} form={form} />}
      <p className="auth-switch">
        New here? <Link to={withNext("/signup", next)}>Sign Up</Link>
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
      const box = elements?.namedItem(name);
      if (box instanceof HTMLInputElement) box.value = value;
    };
    set("email", email);
    set("password", password);
    form.current?.querySelector<HTMLButtonElement>("[type=submit]")?.focus();
  };
  return (
    <section className="auth-samples" aria-labelledby="samples-title">
      <h2 id="samples-title">Sample logins</h2>
      <ul className="auth-sample-list">
        {samples.map(({ name, email, password }) => (
          <li key={email}>
            <button type="button" onClick={() => fill(email, password)}>
              <span className="auth-sample-name">{name}</span>
              <span className="auth-sample-login">{email}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="auth-note">
        The password for each is <span className="auth-sample-login">{samples[0]?.password}</span>
      </p>
    </section>
  );
}
