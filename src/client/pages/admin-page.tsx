import { useParams, useSearchParams } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { pageInQuery } from "../../shared/paging.ts";
import type { Viewer } from "../../shared/users.ts";
import { SignupSettingsPage } from "../site/sign-up-settings.tsx";
import { AuditList } from "../moderation/audit-list.tsx";
import { contentFilterIn } from "../moderation/content-list.tsx";
import { StaffBlogs, blogFilterIn } from "../moderation/staff-blogs.tsx";
import { StaffComments } from "../moderation/staff-comments.tsx";
import { DiskWarning, RunningVersion } from "../site/disk.tsx";
import { JobList } from "../site/job-list.tsx";
import { MailWarning } from "../site/mail.tsx";
import { Numbers } from "../site/numbers.tsx";
import { ReportQueue } from "../moderation/report-queue.tsx";
import { SiteSettings } from "../site/site-settings.tsx";
import { StaffPeople, peopleSearchIn } from "../moderation/staff-people.tsx";
import { PendingCommentList } from "../moderation/pending-comments.tsx";
import { SignupRequestList } from "../moderation/sign-up-requests.tsx";
import { trpc } from "../api/trpc.ts";
import { useMarkReadWhileShown } from "../notifications/mark-read.ts";
import { useViewer } from "../session/viewer.ts";
import { Badge } from "../ui/badge.tsx";
import { PageHead } from "../ui/page-head.tsx";
import NotFoundPage from "./not-found-page.tsx";
import { NotFound, requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import "../ui/tabs.css";
import "../moderation/moderation.css";
import "../site/administration-queries.ts";
import "../moderation/moderation-queries.ts";

const parts = {
  "": "Reports",
  people: "People",
  blogs: "Blogs",
  comments: "Comments",
  waiting: "Sign-up requests",
  "sign-up": "Sign-up settings",
  site: "Site",
  numbers: "Numbers",
  jobs: "Jobs",
  log: "Log",
} as const;
type Part = keyof typeof parts;
const adminParts: readonly Part[] = ["sign-up", "site", "numbers", "jobs"];
const partOf = (name: string | undefined): Part | undefined =>
  Object.hasOwn(parts, name ?? "") ? ((name ?? "") as Part) : undefined;
const addressOf = (part: Part): string => (part === "" ? "/admin" : `/admin/${part}`);

export async function loader(request: PageRequest): Promise<PageFacts> {
  const { params, url, data } = request;
  const viewer = requireViewer(request);
  const part = partOf(params.part);
  // Others get "not found".
  if (
    part === undefined ||
    params.part === "" ||
    !(viewer.isAdmin || (viewer.isModerator && !adminParts.includes(part)))
  )
    throw new NotFound();
  const page = pageInQuery(url.searchParams);
  if (viewer.isAdmin)
    await Promise.all([data.administration.disk.fetch(), data.administration.setup.fetch()]);
  await data.moderation.waiting.fetch();
  await {
    "": () => Promise.all([data.moderation.queue.fetch({ page }), data.moderation.pendingComments.fetch()]),
    people: () => data.moderation.people.fetch(peopleSearchIn(url.searchParams)),
    waiting: () => data.moderation.signupRequests.fetch({ page }),
    blogs: () => data.moderation.blogs.fetch(blogFilterIn(url.searchParams)),
    comments: () => data.moderation.comments.fetch(contentFilterIn(url.searchParams)),
    "sign-up": () => data.administration.signupSettings.fetch(),
    numbers: () => data.administration.numbers.fetch(),
    jobs: () => data.administration.jobs.fetch({ page }),
    site: () => data.administration.site.fetch(),
    log: () => data.moderation.log.fetch({ page }),
  }[part]();
  return { title: `${parts[part]} · Moderation` };
}

/** An open page looks absent once the viewer has lost the role. */
export default function AdminPage() {
  const viewer = useViewer();
  return viewer && (viewer.isAdmin || viewer.isModerator) ? <Moderation viewer={viewer} /> : <NotFoundPage />;
}

function Moderation({ viewer }: { viewer: Viewer }) {
  const part = partOf(useParams().part) ?? "";
  const [search] = useSearchParams();
  const page = pageInQuery(search);
  const { data: waiting } = trpc.moderation.waiting.useQuery();
  useMarkReadWhileShown("new-reports", part === "");
  useMarkReadWhileShown("new-appeals", part === "");
  useMarkReadWhileShown("new-sign-ups", part === "waiting");
  const badges: Partial<Record<Part, number>> = waiting
    ? { "": waiting.reports + waiting.appeals, waiting: waiting.signups }
    : {};
  return (
    <div className="page moderation">
      <PageHead title="Moderation" />
      <nav className="tabs" aria-label="Moderation">
        {(Object.keys(parts) as Part[])
          .filter((name) => !adminParts.includes(name) || viewer.isAdmin)
          .map((name) => (
            <Link
              key={name}
              to={addressOf(name)}
              aria-current={name === part ? "page" : undefined}
              aria-describedby={badges[name] ? `waiting-${name}` : undefined}
            >
              {parts[name]}
              <Badge id={`waiting-${name}`} count={badges[name] ?? 0} />
            </Link>
          ))}
      </nav>
      {viewer.isAdmin && (
        <>
          <DiskWarning />
          <MailWarning />
        </>
      )}
      {part === "" && (
        <>
          <ReportQueue page={page} />
          <PendingCommentList />
        </>
      )}
      {part === "people" && <StaffPeople filter={peopleSearchIn(search)} />}
      {part === "waiting" && <SignupRequestList page={page} />}
      {part === "blogs" && <StaffBlogs filter={blogFilterIn(search)} />}
      {part === "comments" && <StaffComments filter={contentFilterIn(search)} />}
      {part === "sign-up" && <SignupSettingsPage />}
      {part === "site" && <SiteSettings />}
      {part === "numbers" && <Numbers />}
      {part === "jobs" && <JobList page={page} />}
      {part === "log" && <AuditList page={page} />}
      {viewer?.isAdmin && <RunningVersion />}
    </div>
  );
}
