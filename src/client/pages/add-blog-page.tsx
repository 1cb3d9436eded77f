import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { BlogForm } from "../blogs/form/blog-form.tsx";
import { keepShared, sharedIn } from "../blogs/form/shared.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { MayNotWrite } from "../blogs/form/may-not-write.tsx";
import { useKnownViewer, useMayWrite } from "../session/viewer.ts";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toasts.tsx";

export function loader(request: PageRequest): PageFacts {
  requireViewer(request);
  return { title: "Write" };
}

export default function AddBlogPage() {
  const account = useKnownViewer();
  const isTaken = useShared(account);
  const mayWrite = useMayWrite();
  return (
    <div className="blog-form-page">
      <h1 className={mayWrite ? "visually-hidden" : "blog-form-heading"}>Write a blog</h1>
      {!mayWrite ? (
        <MayNotWrite />
      ) : isTaken ? (
        account && <BlogForm key={account} account={account} blog={null} />
      ) : (
        <Loading>
          <Skeleton height="26rem" />
        </Loading>
      )}
    </div>
  );
}

/** Takes what another program shares out of the address, so that no reload begins it twice; false until it is kept. */
function useShared(account: string | null): boolean {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);
  const isThere = sharedIn(search) !== null;
  useEffect(() => {
    const shared = sharedIn(search);
    if (!shared || !account || failed) return;
    let isOver = false;
    keepShared(account, shared).then(
      () => void (isOver || navigate(location.pathname, { replace: true })),
      () => {
        if (isOver) return;
        toast({
          kind: "error",
          message: "We couldn’t save what you shared. It’s still in the address of this page.",
        });
        setFailed(true);
      },
    );
    return () => {
      isOver = true;
    };
  }, [search, account, navigate, failed]);
  return !isThere || failed;
}
