import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { BlogForm } from "../writing/form/blog-form.tsx";
import { storeShared, parseShared } from "../writing/form/shared-content.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { PublishingLimited } from "../writing/form/notices.tsx";
import { useFormAccount, useMayWrite } from "../session/viewer.ts";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toasts.tsx";

export function loader(request: PageRequest): PageFacts {
  requireViewer(request);
  return { title: "Write" };
}

export default function AddBlogPage() {
  const account = useFormAccount();
  const isTaken = useShared(account);
  const mayWrite = useMayWrite();
  return (
    <div className="blog-form-page page">
      <h1 className={mayWrite ? "visually-hidden" : "blog-form-heading size-xl"}>Write a blog</h1>
      {!mayWrite ? (
        <PublishingLimited />
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

/**
 * Stores what another program shares and removes it from the address, so that a reload does not repeat it. False until then.
 */
function useShared(account: string | null): boolean {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);
  const hasShared = parseShared(search) !== null;
  useEffect(() => {
    const shared = parseShared(search);
    if (!shared || !account || failed) return;
    let isOver = false;
    storeShared(account, shared).then(
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
  return !hasShared || failed;
}
