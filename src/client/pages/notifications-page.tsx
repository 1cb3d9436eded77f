import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { NotificationList, ReadAll } from "../notifications/notification-list.tsx";
import { unreadCount } from "../notifications/notifications.ts";
import { PageHead } from "../ui/page-head.tsx";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.social.notifications.fetch();
  return { title: "Notifications" };
}

export default function NotificationsPage() {
  const { data: unread = 0 } = trpc.social.notifications.useQuery(undefined, {
    enabled: false,
    select: (data) => data.unread,
  });
  return (
    <div className="page narrow notifications-page">
      <PageHead title="Notifications" actions={unread > 0 && <ReadAll />}>
        {unread === 0 ? "Nothing unread" : `${unreadCount(unread)} unread`}
      </PageHead>
      <NotificationList first={50} />
    </div>
  );
}
