import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { OpenSession } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { toast } from "../ui/toasts.tsx";
import { deviceName } from "../../shared/user-agent.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SettingsRow } from "./settings-row.tsx";
import { SettingsSection } from "./settings-section.tsx";
import "./access-queries.ts";
import { showFailure } from "../session/failure.ts";

export function SessionSettings() {
  const navigate = useNavigate();
  const query = trpc.users.sessions.useQuery(undefined, {
    refetchOnWindowFocus: "always",
    select: ({ sessions }) => sessions,
  });
  const otherSessions = query.data?.filter((session) => !session.current) ?? [];
  const onSuccess = async ({ message }: { message: string }): Promise<void> => {
    await query.refetch();
    toast({ kind: "success", message });
  };
  const fail = (error: unknown, again: () => void): void => {
    showFailure(error, navigate, again, messages.update);
    void query.refetch();
  };
  const revoke = trpc.users.revokeSession.useMutation({
    onSuccess,
    onError: (error, input) => fail(error, () => revoke.mutate(input)),
  });
  const revokeOthers = trpc.users.revokeOtherSessions.useMutation({
    onSuccess,
    onError: (error) => fail(error, () => revokeOthers.mutate()),
  });
  return (
    <SettingsSection
      name="sessions"
      action={
        otherSessions.length > 1 && (
          <Button size="s" busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
            Revoke all others
          </Button>
        )
      }
    >
      <QueryResult isInline query={query} noun="sessions">
        {(sessions) => (
          <ul className="list">
            {sessions
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <Session
                  key={session.handle}
                  session={session}
                  busy={
                    revokeOthers.isPending || (revoke.isPending && revoke.variables.handle === session.handle)
                  }
                  onEnd={() => revoke.mutate({ handle: session.handle })}
                />
              ))}
          </ul>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

function Session({ session, busy, onEnd }: { session: OpenSession; busy: boolean; onEnd: () => void }) {
  const device = deviceName(session.device);
  return (
    <SettingsRow
      label={device}
      title={session.device || undefined}
      action={
        !session.current && (
          <Button size="s" busy={busy} onClick={onEnd}>
            Revoke<span className="visually-hidden"> {device}</span>
          </Button>
        )
      }
    >
      {session.current ? (
        <strong>This device</strong>
      ) : (
        <span>
          Last seen <RelativeTime at={session.seenAt} />
        </span>
      )}
      {" · "}signed in <RelativeTime at={session.startedAt} />
      {session.push && <span> · push notifications on</span>}
    </SettingsRow>
  );
}
