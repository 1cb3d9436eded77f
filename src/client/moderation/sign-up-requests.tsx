import { useState } from "react";
import type { SignupRequests } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { StaffList } from "./staff-list.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));

/** The accounts awaiting approval. Live. */
export function SignupRequestList({ page }: { page: number }) {
  const query = trpc.moderation.signupRequests.useQuery({ page });
  return (
    <StaffList
      query={query}
      noun="people"
      rows={({ people }) => people}
      empty={{
        title: "No sign-up requests",
        text: "When sign-ups need approval, they appear here.",
      }}
      pages={{ action: "/admin/waiting", page }}
    >
      {(person) => <Row key={person.id} person={person} />}
    </StaffList>
  );
}

function Row({ person }: { person: SignupRequests["people"][number] }) {
  const { id: userId, name, email, byGoogle, answer, since } = person;
  const approval = useMutationMessage(trpc.moderation.approveSignup.useMutation());
  const rejection = useMutationMessage(trpc.moderation.rejectSignup.useMutation());
  const [isDialogOpen, setDialogOpen] = useState(false);
  const close = (): void => setDialogOpen(false);
  return (
    <li className="stack" data-item>
      <div className="row wrap top between gap-2-4 staff-row">
        <div className="stack gap-1">
          <p className="strong">
            <bdi>{name}</bdi>
          </p>
          <p className="note">
            {email && (
              <>
                <bdi>{email}</bdi> ·{" "}
              </>
            )}
            {byGoogle && "with Google · "}
            signed up <RelativeTime at={since} />
          </p>
          {answer ? (
            <p className="as-typed" dir="auto">
              {answer}
            </p>
          ) : (
            <p className="note">No answer</p>
          )}
        </div>
        <div className="row wrap">
          <Button size="s" kind="primary" busy={approval.busy} onClick={() => void approval.run({ userId })}>
            Approve
          </Button>
          <Button size="s" busy={rejection.busy} onClick={() => setDialogOpen(true)}>
            Reject
          </Button>
        </div>
      </div>
      {isDialogOpen && (
        <ReasonDialog
          title={`Reject ${name}?`}
          body="We’ll email them and delete the account. This can’t be undone, but they can sign up again."
          readBy="person"
          action="Reject"
          onClose={close}
          onAnswer={(reason) => void rejection.run({ userId, reason })}
        />
      )}
    </li>
  );
}
