import { useState } from "react";
import type { Applications } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { StaffList } from "./staff-list.tsx";
import { useAct } from "../session/use-act.ts";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));

/** Who waits to be let in. It is live: whom another moderator answers goes. */
export function WaitingPeople({ page }: { page: number }) {
  const asked = trpc.moderation.applications.useQuery({ page });
  return (
    <StaffList
      asked={asked}
      what="people"
      rows={({ people }) => people}
      empty={{
        title: "Nobody is waiting",
        text: "Where administrators have moderators let people in, who signs up stands here.",
      }}
      pages={{ action: "/admin/waiting", page }}
    >
      {(person) => <Row key={person.id} person={person} />}
    </StaffList>
  );
}

function Row({ person }: { person: Applications["people"][number] }) {
  const { id: userId, name, email, byGoogle, answer, since } = person;
  const admission = useAct(trpc.moderation.admit.useMutation());
  const refusal = useAct(trpc.moderation.refuse.useMutation());
  const [asking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <li data-item>
      <div className="staff-row">
        <div className="staff-what">
          <p className="staff-title">
            <bdi>{name}</bdi>
          </p>
          <p className="staff-note">
            {email && (
              <>
                <bdi>{email}</bdi> ·{" "}
              </>
            )}
            {byGoogle && "by Google · "}
            waits since <RelativeTime at={since} />
          </p>
          {answer ? (
            <p className="staff-answer" dir="auto">
              {answer}
            </p>
          ) : (
            <p className="staff-note">No answer was given.</p>
          )}
        </div>
        <div className="staff-acts">
          <Button
            size="s"
            kind="primary"
            busy={admission.busy}
            onClick={() => void admission.act({ userId })}
          >
            Let in
          </Button>
          <Button size="s" busy={refusal.busy} onClick={() => setAsking(true)}>
            Refuse
          </Button>
        </div>
      </div>
      {asking && (
        <ReasonDialog
          title={`Refuse ${name}?`}
          body="They are told by mail, and nothing of the account is kept. This can’t be undone; they may sign up again."
          action="Refuse"
          onClose={close}
          onFail={close}
          onAnswer={(reason) => {
            close();
            void refusal.act({ userId, reason });
          }}
        />
      )}
    </li>
  );
}
