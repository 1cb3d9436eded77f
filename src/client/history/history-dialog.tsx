import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { trpc } from "../api/trpc.ts";
import type { VersionList } from "../../shared/versions.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useMediaQuery } from "../ui/use-media-query.ts";
import type { UploadState } from "../uploads/picture-upload.ts";
import { isStoredAs } from "../writing/form/blog-fields.ts";
import type { BlogFields } from "../writing/draft-fields.ts";
import { DeleteVersion } from "./delete-version.tsx";
import { VersionView, useVersion } from "./version-view.tsx";
import type { VersionFields } from "./version-view.tsx";
import { Versions } from "./version-list.tsx";
import "../ui/prose.css";
import "../ui/field.css";
import "./history.css";

interface Props {
  blogId: string;
  /** Returns the form's content; another draft has another `formKey`. */
  formFields: () => BlogFields;
  formKey: string;
  isReading: boolean;
  coverUnderWay: UploadState | null;
  onClose: () => void;
  onRestore: (version: string, fields: VersionFields) => void;
}

export default function HistoryDialog(props: Props) {
  const { blogId, onClose, onRestore } = props;
  const query = trpc.blogs.versions.useQuery({ id: blogId });
  const list = query.data as VersionList | undefined;
  const wide = useMediaQuery("(min-width: 64rem)");
  const [chosenId, setChosenId] = useState<string | null>(null);
  // A version saved later does not take its place.
  const newest = list?.versions[0];
  if (wide && chosenId === null && newest) setChosenId(newest.id);
  const chosen = list?.versions.find(({ id }) => id === chosenId) ?? null;
  const mine = useFormContent(props);
  const fields = useVersion(blogId, chosen?.id ?? null).data;
  const isInForm = fields !== undefined && isStoredAs({ ...mine, ...fields }, mine) && !props.coverUnderWay;
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const choose = (id: string): void => {
    flushSync(() => setChosenId(id));
    if (!wide) heading.current?.focus();
  };
  const back = (): void => {
    flushSync(() => setChosenId(null));
    const entries = [...(body.current?.querySelectorAll<HTMLElement>("[data-version]") ?? [])];
    (entries.find(({ dataset }) => dataset.version === chosen?.id) ?? entries[0])?.focus();
  };
  return (
    <Dialog
      wide
      title="History"
      onClose={onClose}
      actions={
        <>
          {list?.mine && chosen && chosen.id !== list.seen && (
            <DeleteVersion key={chosen.id} blogId={blogId} version={chosen.id} onDeleted={back} />
          )}
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
          {chosen && (
            <Button
              kind="primary"
              disabled={fields === undefined || isInForm || props.isReading}
              onClick={() => fields && onRestore(chosen.id, fields)}
            >
              {isInForm ? "This is in the form" : "Restore this"}
            </Button>
          )}
        </>
      }
    >
      <div className="history stack gap-4" ref={body}>
        <QueryResult query={{ ...query, data: list }} noun="the history" fallback={<LoadingVersions />}>
          {(loadedList) =>
            loadedList.versions.length === 0 ? (
              <EmptyState title="No versions yet">
                We’ll keep the current version when you change it, and each one you save after that.
              </EmptyState>
            ) : (
              <>
                {(wide || !chosen) && (
                  <Versions blogId={blogId} list={loadedList} chosen={chosen?.id ?? null} onChoose={choose} />
                )}
                {chosen && (
                  <div className="history-side">
                    {!wide && (
                      <Button kind="quiet" size="s" className="history-back" onClick={back}>
                        <Icon name="chevron-left" size={18} /> All versions
                      </Button>
                    )}
                    <VersionView
                      blogId={blogId}
                      entry={chosen}
                      entries={loadedList.versions}
                      mine={mine}
                      coverUnderWay={props.coverUnderWay}
                      heading={heading}
                    />
                  </div>
                )}
              </>
            )
          }
        </QueryResult>
      </div>
    </Dialog>
  );
}

const LoadingVersions = () => (
  <>
    {[1, 2, 3].map((place) => (
      <Skeleton key={place} height="4.5rem" />
    ))}
  </>
);

/** Returns the form's content as of the opening, or the last change of `formKey`. */
function useFormContent({ formFields, formKey }: Props): BlogFields {
  const [mine, setMine] = useState(formFields);
  const refresh = useEffectEvent(() => setMine(formFields()));
  useEffect(() => refresh(), [formKey]);
  return mine;
}
