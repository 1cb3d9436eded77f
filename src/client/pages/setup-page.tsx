import { redirect, useLocation } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { trpc } from "../api/trpc.ts";
import { AuthForm } from "../sign-in/auth-form.tsx";
import type { Credentials } from "../sign-in/auth-form.tsx";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { onSignedIn } from "../session/session.ts";
import { useHydrated } from "../ui/hydrated.ts";
import { toast } from "../ui/toasts.tsx";

export async function loader({ data }: PageRequest): Promise<PageFacts> {
  const { needed } = await data.users.setUpState.fetch();
  if (!needed) throw redirect(routes.signIn());
  return { title: "This site isn’t set up yet", topics: ["search"] };
}

/** All pages lead here until the first administrator comes by the set-up link, whose secret no server log has: it is the fragment. */
export default function SetUpPage() {
  const { hash } = useLocation();
  const secret = useHydrated() ? hash.slice(1) : "";
  const setUp = trpc.users.setUp.useMutation();
  const send = async ({ name, email, password }: Credentials): Promise<void> => {
    const { viewer, cursor } = await setUp.mutateAsync({ secret, name, email, password });
    await onSignedIn({ ...viewer, cursor }, routes.home());
    toast({ kind: "success", message: "Your site is set up. Welcome!" });
  };
  if (secret)
    return (
      <AuthFrame title="Set up your site">
        <p className="soft first-setup">
          Create your account. It’s the administrator’s: you choose who else can join, and how the site looks.
        </p>
        <AuthForm kind="sign-up" action="Create account" onSend={send} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="This site isn’t set up yet">
      <p className="lead first-setup">Please come back later.</p>
      <div className="stack soft hairline-top setup-help">
        <h2 className="size-l">Is it yours?</h2>
        <p>Open the set-up link. It works once, and you’ll find it</p>
        <ul className="stack gap-2">
          <li>
            in the server’s terminal or log after each start: <code>docker compose logs site</code> or{" "}
            <code>journalctl -u reprise</code>,
          </li>
          <li>
            in the file <code>setup-link</code> in its data folder.
          </li>
        </ul>
        <p>
          Or create your account at the command line: <code>reprise user add NAME</code>{" "}
          <code>--email ADDRESS</code> <code>--admin</code>
        </p>
      </div>
    </AuthFrame>
  );
}
