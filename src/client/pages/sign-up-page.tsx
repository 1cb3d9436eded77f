import { routes, safeNext } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Redirect } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useSite } from "../session/site.ts";
import { AuthForm } from "../users/auth-form.tsx";
import type { Credentials } from "../users/auth-form.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";
import type { Mailed } from "../users/check-your-mail.tsx";
import { GoogleLink } from "../users/google-link.tsx";
import { withNext } from "../users/with-next.ts";
import { useLocation, useNavigate } from "../ui/location.ts";

export function prefetch({ viewer, url }: PageRequest): PageFacts {
  if (viewer) throw new Redirect(safeNext(url.searchParams.get("next")));
  return { title: "Sign Up", description: "Write, read and follow people who write." };
}

/** Signing up leads to /signin (docs/specification.md, 4.7), which says what to do until then. */
export default function SignUpPage() {
  const { name } = useSite();
  const navigate = useNavigate();
  const next = new URLSearchParams(useLocation().search).get("next");
  const { client } = trpc.useUtils();

  const send = async (credentials: Credentials): Promise<void> => {
    const { message } = await client.users.signUp.mutate(credentials);
    const state: Mailed = { email: credentials.email, message };
    await navigate(withNext(routes.signIn(), next), { state });
  };
  return (
    <AuthFrame title={`Join ${name}`}>
      <AuthForm kind="sign-up" onSend={send} />
      <GoogleLink />
      <p className="auth-switch">
        Already have an account? <a href={withNext("/signin", next)}>Sign In</a>
      </p>
    </AuthFrame>
  );
}
