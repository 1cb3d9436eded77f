import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { NoticeList, ReadAll } from "../social/notice-list.tsx";
import { unreadCount } from "../social/notices.ts";
import { PageHead } from "../ui/page-head.tsx";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.social.notices.fetch();
  return { title: "Notifications" };
}

/** Everything that happened to the viewer: the bell's list with room. */
export default function NotificationsPage() {
  const { data: unread = 0 } = trpc.social.notices.useQuery(undefined, {
    enabled: false,
    select: (data) => data.unread,
  });
  return (
    <div className="page notices-page">
      <PageHead title="Notifications" actions={unread > 0 && <ReadAll />}>
        {unread === 0 ? "Nothing unread" : `${unreadCount(unread)} unread`}
      </PageHead>
      <NoticeList first={50} />
    </div>
  );
}
