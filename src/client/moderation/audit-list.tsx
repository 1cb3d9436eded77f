import { messages } from "../../shared/errors.ts";
import type { AuditAct, AuditEntry } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { EmptyState } from "../ui/empty.tsx";
import { ListFailure } from "../ui/list-failure.tsx";
import { Pager } from "../ui/pager.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** Every act of a moderator, the newest first. Nobody can change it. */
export function AuditList({ page }: { page: number }) {
  const { data, error, refetch } = trpc.moderation.log.useQuery({ page });
  if (error && !data) return <ListFailure title={messages.dataLoad} retry={() => void refetch()} />;
  if (!data)
    return (
      <Loading label="Loading the log">
        <Skeleton width="16rem" />
      </Loading>
    );
  return (
    <>
      {data.entries.length > 0 ? (
        <ul className="staff-list">
          {data.entries.map((entry) => (
            <li key={entry.number} data-item>
              <div className="staff-what">
                <p>
                  <strong>@{entry.actor}</strong> {deeds[entry.act](entry)}
                </p>
                {entry.reason && (
                  <p className="staff-text" dir="auto">
                    {entry.reason}
                  </p>
                )}
                <p className="staff-note">
                  <RelativeTime at={entry.at} />
                </p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title={page > 1 ? "There is no such page" : "Nothing yet"}>
          {page === 1 && "What moderators do is written down here, and stays."}
        </EmptyState>
      )}
      <Pager action="/admin/log" page={page} hasMore={data.hasMore} />
    </>
  );
}

const what = ({ kind, name }: AuditEntry): string =>
  kind === "profile" ? `@${name}` : `the ${kind} “${name}”`;
const deeds: Record<AuditAct, (entry: AuditEntry) => string> = {
  keep: (entry) => `left ${what(entry)} as it is`,
  hide: (entry) => `${entry.kind === "blog" ? "took back" : "deleted"} ${what(entry)}`,
  restore: (entry) => `let ${what(entry)} be read again`,
  suspend: (entry) => `suspended ${what(entry)}`,
  unsuspend: (entry) => `opened the account of ${what(entry)} again`,
  moderator: (entry) => `made ${what(entry)} a moderator`,
  "sign-up": ({ name }) =>
    ({
      open: "opened the site to everybody",
      invitation: "opened the site to invited people",
      closed: "closed the site to new accounts",
    })[name] ?? name,
  invite: ({ name }) => `made a link for ${name === "1" ? "one account" : `${name} accounts`}`,
  withdraw: () => "withdrew a link",
  member: (entry) => `made ${what(entry)} a member again`,
};
