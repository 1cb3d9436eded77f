import type { ReactNode } from "react";
import { Link } from "../ui/link.tsx";
import type { SiteSetup } from "../../shared/administration.ts";
import { trpc } from "../api/trpc.ts";
import { useSite } from "../session/site.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";
import { MailNote, MailWarning, TestMail } from "./mail.tsx";
import "./administration.css";
import "./administration-queries.ts";

/** First steps for administrators of a new site, until all are done or one of them hides the list. */
export function SetupSteps() {
  const { data: setup } = trpc.administration.setup.useQuery(undefined, { retryOnMount: false });
  const hideMutation = trpc.administration.hideSetup.useMutation();
  const { busy, run } = useMutationMessage(hideMutation);
  if (!setup || setup.isHidden || Object.values(setup.done).every(Boolean)) return <MailWarning />;
  return (
    <section className="panel stack gap-2 setup" aria-labelledby="setup-title">
      <h2 id="setup-title" className="size-xl">
        You run this site
      </h2>
      <p className="soft">A few things to set up before people arrive.</p>
      <ol className="setup-steps">
        <Steps {...setup} />
      </ol>
      <Button
        kind="quiet"
        size="s"
        busy={busy}
        onClick={() => void run({ hidden: true }, () => hideMutation.mutateAsync({ hidden: false }))}
      >
        Hide this list
      </Button>
    </section>
  );
}

function Steps({ done, mail }: Pick<SiteSetup, "done" | "mail">) {
  const { name } = useSite();
  return (
    <>
      <Step title="Name your site" isDone={done.name}>
        It’s called {name} so far. Its name, description and colour are{" "}
        <Link to="/admin/site">settings of the site</Link>.
      </Step>
      <Step title="Give people a contact" isDone={done.contact}>
        Suspended people, and those who find a security problem, write to the address in{" "}
        <Link to="/admin/site">the site’s settings</Link>.
      </Step>
      <Step title="Let it send emails" isDone={done.mail}>
        <MailNote mail={mail} />
        <TestMail mail={mail} />
      </Step>
      <Step title="Back it up" isDone={done.backup}>
        Set <code>BACKUP_EVERY=24h</code> and start again, and the site backs itself up every day.
      </Step>
      <Step title="Invite people" isDone={done.people}>
        Send them a link, and decide <Link to="/admin/sign-up">who can sign up</Link>.
      </Step>
    </>
  );
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className="setup-step" data-done={isDone || undefined}>
      <span className="stack center round setup-mark">{isDone && <Icon name="check" size={16} />}</span>
      <h3 className={`setup-title${isDone ? " muted" : ""}`}>
        {title}
        {isDone && <span className="visually-hidden"> (done)</span>}
      </h3>
      {!isDone && <div className="small soft setup-text">{children}</div>}
    </li>
  );
}
