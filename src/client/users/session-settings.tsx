import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import type { OpenSession } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { useNavigate } from "../ui/location.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toast } from "../ui/toasts.tsx";
import { deviceName } from "../../shared/device.ts";
import { Loaded } from "../ui/loaded.tsx";
import { SettingsRow } from "./settings-row.tsx";
import "./kept-access.ts";
import { tellFailure } from "../session/failure.ts";

/** Where the account is signed in. */
export function SessionSettings() {
  const { client } = trpc.useUtils();
  const navigate = useNavigate();
  const asked = trpc.users.sessions.useQuery(undefined, {
    refetchOnWindowFocus: "always",
    select: ({ sessions }) => sessions,
  });
  const [ending, setEnding] = useState<string | null>(null);
  const others = asked.data?.filter((session) => !session.current) ?? [];

  const end = async (which: string, call: () => Promise<{ message: string }>): Promise<void> => {
    setEnding(which);
    try {
      const { message } = await call();
      await asked.refetch();
      toast({ kind: "success", message });
    } catch (failure) {
      tellFailure(failure, navigate, () => void end(which, call), messages.update);
      void asked.refetch();
    } finally {
      setEnding(null);
    }
  };
  return (
    <section className="settings-part" aria-labelledby="settings-sessions">
      <div className="settings-head">
        <h2 id="settings-sessions">Where you are signed in</h2>
        {others.length > 1 && (
          <Button
            size="s"
            busy={ending === "all"}
            onClick={() => void end("all", () => client.users.revokeOtherSessions.mutate())}
          >
            Revoke all others
          </Button>
        )}
      </div>
      <Loaded isSetting asked={asked} what="sessions">
        {(sessions) => (
          <ul className="settings-rows">
            {sessions
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <Session
                  key={session.handle}
                  session={session}
                  busy={ending === session.handle || ending === "all"}
                  onEnd={() =>
                    void end(session.handle, () =>
                      client.users.revokeSession.mutate({ handle: session.handle }),
                    )
                  }
                />
              ))}
          </ul>
        )}
      </Loaded>
    </section>
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
        <>
          Last seen <RelativeTime at={session.seenAt} />
        </>
      )}
      {" · "}signed in <RelativeTime at={session.startedAt} />
      {session.push && " · push notifications on"}
    </SettingsRow>
  );
}
