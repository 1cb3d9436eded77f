import { useEffect, useId, useRef, useState } from "react";
import type { DragEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { acceptAttribute, maxReadMegabytes } from "../../uploads/files.ts";
import { UploadProgress } from "../../uploads/progress.tsx";
import { CoverFocus, FocusWords } from "./cover-focus.tsx";
import type { Cover } from "./cover-upload.ts";
import { FieldError } from "../../ui/field.tsx";
import "./cover-field.css";

/** The cover field, with upload progress. */
export function CoverField({ cover, error }: { cover: Cover; error?: string | null | undefined }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const { picture, underWay: upload } = cover;
  const shown = cover.refused ?? upload?.failed ?? error;

  const take = (field: HTMLInputElement) => {
    const file = field.files?.[0];
    // Lets the same file be chosen again after its removal.
    field.value = "";
    if (file) cover.choose(file);
  };
  const first = useRef(take);
  useEffect(() => {
    // Chosen before the page's code had loaded.
    if (input.current) first.current(input.current);
  }, []);

  const dragged = (event: DragEvent, isOver: boolean) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDraggedOver(isOver);
  };

  return (
    <div
      className="field cover"
      data-over={isDraggedOver || undefined}
      onDragEnter={(event) => dragged(event, true)}
      onDragOver={(event) => dragged(event, true)}
      onDragLeave={(event) =>
        !event.currentTarget.contains(event.relatedTarget as Node | null) && dragged(event, false)
      }
      onDrop={(event) => {
        dragged(event, false);
        const file = event.dataTransfer.files[0];
        if (file) cover.choose(file);
      }}
    >
      {/* Above the picture: below it the buttons would be out of sight in most windows. */}
      <div className="row wrap between">
        <label htmlFor={id} id={`${id}-label`} className="field-label">
          Cover image
        </label>
        {(upload || picture) && (
          <div className="row wrap">
            {upload?.canRetry && (
              <Button size="s" onClick={cover.retry}>
                <Icon name="retry" size={16} />
                Retry
              </Button>
            )}
            {(!upload || upload.failed) && (
              <Button size="s" onClick={() => input.current?.click()}>
                Replace
              </Button>
            )}
            <Button
              size="s"
              onClick={() => {
                if (upload) cover.cancel();
                else cover.remove();
                input.current?.focus();
              }}
            >
              {!upload ? "Remove cover" : upload.failed && picture ? "Keep the old cover" : "Cancel"}
            </Button>
          </div>
        )}
      </div>
      <input
        ref={input}
        id={id}
        className="visually-hidden cover-input"
        type="file"
        accept={`.png,.jpg,.jpeg,${acceptAttribute("cover")}`}
        aria-labelledby={`${id}-label`}
        aria-invalid={shown ? true : undefined}
        aria-describedby={`${id}-hint${shown ? ` ${id}-error` : ""}`}
        onChange={(event) => take(event.target)}
      />
      {upload || picture ? (
        <figure className="cover-frame" data-whole={!upload || undefined}>
          {upload ? (
            <img
              className="cover-picture"
              src={upload.preview ?? undefined}
              alt=""
              data-sending={upload.failed === null || undefined}
            />
          ) : (
            picture && (
              <>
                <CoverFocus picture={picture} onAim={cover.setFocus} />
                <div className="cover-aim row wrap between">
                  <FocusWords focus={picture.focus} />
                  {picture.focus && (
                    <Button
                      size="s"
                      onClick={({ currentTarget }) => {
                        // This button disappears.
                        currentTarget.closest(".cover")?.querySelector<HTMLElement>(".cover-handle")?.focus();
                        cover.setFocus(null);
                      }}
                    >
                      Centre
                    </Button>
                  )}
                </div>
              </>
            )
          )}
          {upload?.failed === null && <UploadProgress className="cover-progress" percent={upload.percent} />}
        </figure>
      ) : (
        <label htmlFor={id} className="cover-drop row center note">
          <Icon name="image" size={24} />
          <span>
            <span className="ink underline">Choose a picture</span> or drop it here
          </span>
        </label>
      )}
      <div className="row top between gap-4 note field-notes" id={`${id}-hint`}>
        <span>PNG, JPEG or HEIC, up to {maxReadMegabytes} MB</span>
      </div>
      <FieldError id={id} error={shown} />
    </div>
  );
}
