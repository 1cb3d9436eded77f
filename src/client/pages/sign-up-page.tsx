import { redirect, useLocation, useNavigate } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { useRef } from "react";
import { invitationProblems } from "../../shared/invitations.ts";
import { routes, safeNext } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useSite } from "../session/site.ts";
import { errorField } from "../api/errors.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { AuthForm } from "../sign-in/auth-form.tsx";
import type { SentCredentials } from "../sign-in/auth-form.tsx";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import type { SignupState } from "../sign-in/check-your-mail.tsx";
import { GoogleLink } from "../sign-in/google-link.tsx";
import { withNext } from "../sign-in/with-next.ts";

const loadWork = codeLoader(() => import("../sign-in/proof-of-work.ts"));

export async function loader({ viewer, url, data }: PageRequest): Promise<PageFacts> {
  if (viewer) throw redirect(safeNext(url.searchParams.get("next")));
  const code = url.searchParams.get("invitation");
  if (code) await data.users.invitation.fetch({ code: code.slice(0, 100) });
  return { title: "Sign Up", description: "Write, read and follow people who write." };
}

/** Signing up leads to /signin (docs/specification.md, 4.7), which says what to do next. */
export default function SignUpPage() {
  const { name, signUp, question, terms, privacy } = useSite();
  const navigate = useNavigate();
  const search = new URLSearchParams(useLocation().search);
  const next = search.get("next");
  const code = (search.get("invitation") ?? "").slice(0, 100);
  const { data: found } = trpc.users.invitation.useQuery({ code }, { enabled: false });
  const invitation = found?.state === "valid" ? code : undefined;
  const problem = code !== "" && found && found.state !== "valid" ? invitationProblems[found.state] : "";
  // An invitation that is valid needs no approval.
  const needsApproval = signUp === "approval" && !invitation;
  const beginSignUp = trpc.users.beginSignUp.useMutation();
  const signUpMutation = trpc.users.signUp.useMutation();

  const pendingWork = useRef<Promise<string | undefined>>(undefined);

  /** The proof of work, begun while the person types. */
  const solveWork = (): Promise<string | undefined> => {
    const promise = (pendingWork.current ??= (async () => {
      const { task } = await beginSignUp.mutateAsync();
      if (task === null) return undefined;
      return (await loadWork()).solveTask(task);
    })());
    promise.catch(() => {
      if (pendingWork.current === promise) pendingWork.current = undefined;
    });
    return promise;
  };
  const signUpWith = async (credentials: SentCredentials) => {
    const work = await solveWork();
    try {
      return await signUpMutation.mutateAsync({ ...credentials, invitation, work });
    } catch (error) {
      // It expires and is valid once.
      if (errorField(error) === "work") pendingWork.current = undefined;
      throw error;
    }
  };
  const send = async (credentials: SentCredentials): Promise<void> => {
    const { message } = await signUpWith(credentials).catch((error: unknown) => {
      if (errorField(error) !== "work") throw error;
      return signUpWith(credentials);
    });
    const state: SignupState = { email: credentials.email, message };
    await navigate(withNext(routes.signIn(), next), { state });
  };
  return (
    <AuthFrame title={`Join ${name}`}>
      {signUp === "closed" || (signUp === "invitation" && !invitation) ? (
        <p className="soft">
          {signUp === "closed"
            ? "This site isn’t accepting new accounts at the moment. You can read everything public without one."
            : problem
              ? `${problem} Please ask for a new link.`
              : "You need an invitation to join. If someone sent you a link, please open it."}
        </p>
      ) : (
        <>
          {needsApproval && (
            <p className="note">
              {problem && `${problem} You can still ask to join. `}
              Moderators review new accounts. Confirm your email address, and we’ll email you as soon as they
              decide.
            </p>
          )}
          <AuthForm
            kind="sign-up"
            onSend={send}
            onType={() => void solveWork()}
            question={needsApproval ? question : ""}
          >
            {(terms || privacy) && (
              <p className="note">
                By joining you agree to{" "}
                {terms && (
                  <>
                    the <Link to="/terms">terms</Link>
                  </>
                )}
                {terms && privacy && " and to "}
                {privacy && (
                  <>
                    what is said about <Link to="/privacy">privacy</Link>
                  </>
                )}
                .
              </p>
            )}
          </AuthForm>
          {(signUp === "open" || needsApproval) && <GoogleLink />}
        </>
      )}
      <p className="muted hairline-top auth-switch">
        Already have an account?{" "}
        <Link className="target ink medium" to={withNext("/signin", next)}>
          Sign In
        </Link>
      </p>
    </AuthFrame>
  );
}
