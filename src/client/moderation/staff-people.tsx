import { useState } from "react";
import type { StaffPerson } from "../../shared/moderation.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { PersonSkeleton } from "../users/person-row.tsx";
import { StaffList } from "./loaded.tsx";
import { useAct } from "./use-act.ts";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));

const sorts = { newest: "Newest first", seen: "Last seen", name: "By username" } as const;
type Sort = keyof typeof sorts;

interface Asked {
  query: string;
  sort: Sort;
  page: number;
}

/** What an address asks for. */
export function peopleAsked(search: URLSearchParams): Asked {
  const [page, sort] = [Number(search.get("page")), search.get("sort") ?? ""];
  return {
    query: (search.get("q") ?? "").slice(0, 200),
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : "newest",
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** The site's people: found by name, username or address. */
export function StaffPeople({ asked }: { asked: Asked }) {
  const { query, sort, page } = asked;
  const found = trpc.moderation.people.useQuery(asked);
  return (
    <>
      <form className="staff-search" action="/admin/people" key={`${query} ${sort}`}>
        <TextField type="search" name="q" label="Name, username or e-mail address" defaultValue={query} />
        <div className="field">
          <label htmlFor="staff-sort" className="field-label">
            Order
          </label>
          <select id="staff-sort" name="sort" className="field-box" defaultValue={sort}>
            {Object.entries(sorts).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <Button type="submit">Find</Button>
      </form>
      <StaffList
        asked={found}
        what="people"
        waiting={<PersonSkeleton />}
        rows={({ people }) => people}
        empty={{ title: `Nobody is found by “${query}”` }}
        pages={{ action: "/admin/people", keep: { ...(query ? { q: query } : {}), sort }, page }}
      >
        {(person) => <Row key={person.id} person={person} />}
      </StaffList>
    </>
  );
}

function Row({ person }: { person: StaffPerson }) {
  const { id: userId, name, username, email, role, suspended, verified } = person;
  const viewer = useViewer();
  const { client } = trpc.useUtils();
  const { busy, act } = useAct();
  const [asking, setAsking] = useState(false);
  const reopen = () => client.moderation.suspend.mutate({ userId, suspended: false });
  const mayAct =
    viewer !== null &&
    viewer.id !== userId &&
    role !== "administrator" &&
    (viewer.isAdmin || role === "member");
  return (
    <li data-item>
      <div className="staff-row">
        <div className="staff-what">
          <p className="staff-title">
            <Avatar person={person} size={32} />{" "}
            <a href={routes.profile(username)} data-main>
              <bdi>{name}</bdi>
            </a>{" "}
            <span className="staff-note">@{username}</span>
          </p>
          <p className="staff-note">
            {role !== "member" && `${role === "moderator" ? "Moderator" : "Administrator"} · `}
            {email && (
              <>
                <bdi>{email}</bdi> ·{" "}
              </>
            )}
            joined <RelativeTime at={person.joinedAt} />
            {person.seenAt ? (
              <>
                {" · seen "}
                <RelativeTime at={person.seenAt} />
              </>
            ) : (
              " · not signed in"
            )}
            {` · ${person.blogs.toLocaleString("en")} ${person.blogs === 1 ? "blog" : "blogs"}`}
            {!verified && " · address not confirmed"}
          </p>
          {suspended && (
            <p className="staff-flag">
              Suspended <RelativeTime at={suspended.at} />
              {suspended.reason && (
                <>
                  : <q dir="auto">{suspended.reason}</q>
                </>
              )}
            </p>
          )}
        </div>
        {mayAct && (
          <div className="staff-acts">
            {suspended ? (
              <Button size="s" busy={busy === "suspend"} onClick={() => void act("suspend", reopen)}>
                Open again
              </Button>
            ) : (
              <Button size="s" busy={busy === "suspend"} onClick={() => setAsking(true)}>
                Suspend
              </Button>
            )}
            {viewer.isAdmin && !suspended && (
              <Button
                size="s"
                kind="quiet"
                busy={busy === "role"}
                onClick={() =>
                  void act("role", () =>
                    client.moderation.makeModerator.mutate({ userId, moderator: role === "member" }),
                  )
                }
              >
                {role === "member" ? "Make moderator" : "Make member"}
              </Button>
            )}
          </div>
        )}
      </div>
      {asking && (
        <ReasonDialog
          title={`Suspend ${name}?`}
          body="Nobody finds the account or what it wrote, and it is signed out at once. You can undo this."
          action="Suspend"
          onClose={() => setAsking(false)}
          onFail={() => setAsking(false)}
          onAnswer={(reason) => {
            setAsking(false);
            void act(
              "suspend",
              () => client.moderation.suspend.mutate({ userId, suspended: true, reason }),
              reopen,
            );
          }}
        />
      )}
    </li>
  );
}
