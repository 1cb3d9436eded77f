import type { MailDelivery } from "../../shared/administration.ts";
import { trpc } from "../api/trpc.ts";
import { useMutationMessage } from "../session/use-mutation-message.ts";
import { Button } from "../ui/button.tsx";
import { RelativeTime } from "../ui/time.tsx";
import "./administration.css";

/** Whether emails are delivered, and a test of it. */
export function MailSettings() {
  const { data: setup } = trpc.administration.setup.useQuery();
  return (
    <section className="stack gap-4 staff-form" aria-labelledby="site-mail">
      <h2 id="site-mail">Emails</h2>
      {setup && (
        <>
          <p className="note">
            <MailNote mail={setup.mail} />
          </p>
          <TestMail mail={setup.mail} />
        </>
      )}
    </section>
  );
}

/** What the last delivery says. */
export function MailNote({
  mail: { state, server, deliveredAt, failedAt, problem },
}: {
  mail: MailDelivery;
}) {
  if (state === "works" && deliveredAt)
    return (
      <>
        {server} accepted the last email <RelativeTime at={deliveredAt} />.
      </>
    );
  if (state === "fails" && failedAt)
    return (
      <>
        The last email failed <RelativeTime at={failedAt} />. {problem}
      </>
    );
  if (state === "untried")
    return `No email has been sent through ${server} yet. Try it with a test email to you.`;
  return (
    <>
      Without a mail server, emails are only kept as files in <code>DATA_DIR/outbox</code>. Set{" "}
      <code>SMTP_URL</code> and start again.
    </>
  );
}

export function TestMail({ mail }: { mail: MailDelivery }) {
  const { busy, run } = useMutationMessage(trpc.administration.sendTestMail.useMutation());
  if (mail.state === "kept") return null;
  return (
    <Button size="s" busy={busy} onClick={() => void run()}>
      Send a test email
    </Button>
  );
}

/** Warns administrators that the last email was not delivered. */
export function MailWarning() {
  const { data: setup } = trpc.administration.setup.useQuery();
  const isFailing = setup?.mail.state === "fails";
  return (
    <div className="alert medium staff-warning" role="alert" hidden={!isFailing}>
      {isFailing && (
        <>
          <p>
            <MailNote mail={setup.mail} />
          </p>
          <TestMail mail={setup.mail} />
        </>
      )}
    </div>
  );
}
