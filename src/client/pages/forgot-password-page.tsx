import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { EmailForm } from "../sign-in/email-form.tsx";

export function loader(): PageFacts {
  return { title: "Forgot your password?" };
}

export default function ForgotPasswordPage() {
  const { mutateAsync } = trpc.users.forgotPassword.useMutation();
  return (
    <AuthFrame title="Forgot your password?">
      <p className="lead">Enter your email address, and we’ll send you a link to choose a new password.</p>
      <EmailForm action="Send the link" onSend={(email) => mutateAsync({ email })} />
      <p className="muted hairline-top auth-switch">
        Remembered it?{" "}
        <Link className="target ink medium" to={routes.signIn()}>
          Sign In
        </Link>
      </p>
    </AuthFrame>
  );
}
