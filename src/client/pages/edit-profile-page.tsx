import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { PageHead } from "../ui/page-head.tsx";
import { ProfileForm } from "../profiles/profile-form.tsx";
import { useViewer } from "../session/viewer.ts";

export function loader(request: PageRequest): PageFacts {
  requireViewer(request);
  return { title: "Edit Profile" };
}

export default function EditProfilePage() {
  const viewer = useViewer();
  return (
    <div className="page edit-profile">
      <PageHead title="Edit Profile" />
      {viewer && <ProfileForm key={viewer.id} viewer={viewer} />}
    </div>
  );
}
