import { useId, useRef } from "react";
import type { Viewer } from "../../shared/users.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { acceptAttribute, megabytes } from "../uploads/files.ts";
import { UploadProgress } from "../uploads/progress.tsx";
import type { PictureUpload } from "./profile-picture-upload.ts";
import "../ui/button.css";
import "../ui/field.css";
import "./profile.css";

export function PictureField({
  viewer,
  picture,
  error,
}: {
  viewer: Pick<Viewer, "name" | "picture">;
  picture: PictureUpload;
  error: string | null;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { chosen, underWay, refused } = picture;
  const stored = chosen === undefined ? viewer.picture : (chosen?.src ?? null);
  const shown = underWay?.preview ?? stored;
  const problem = refused ?? underWay?.failed ?? error;
  const remove = (): void => {
    picture.remove();
    input.current?.focus();
  };
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        Picture
      </span>
      <div className="picture-row row wrap">
        <Avatar person={{ name: viewer.name, picture: shown }} size={96} />
        <div className="row wrap">
          <input
            ref={input}
            id={id}
            className="visually-hidden"
            type="file"
            name="pictureId"
            accept={acceptAttribute("profile")}
            aria-describedby={`${id}-label ${id}-hint ${id}-error`}
            aria-invalid={problem ? true : undefined}
            onChange={(event) => {
              const file = event.target.files?.[0];
              // So that the same file can be chosen again.
              event.target.value = "";
              if (file) picture.choose(file);
            }}
          />
          <label className="button" htmlFor={id}>
            {shown ? "Change picture" : "Choose a picture"}
          </label>
          {underWay?.canRetry && (
            <Button onClick={picture.retry}>
              <Icon name="retry" size={16} /> Retry
            </Button>
          )}
          {underWay ? (
            <Button onClick={picture.cancel}>Cancel upload</Button>
          ) : (
            stored && <Button onClick={remove}>Remove picture</Button>
          )}
        </div>
      </div>
      {underWay?.failed === null && <UploadProgress percent={underWay.percent} />}
      <div className="row top between gap-4 note field-notes" id={`${id}-hint`}>
        <span>PNG, JPEG, HEIC, WebP or AVIF, or a GIF of at most {megabytes} MB</span>
      </div>
      <p id={`${id}-error`} className="danger small field-error" role="alert" hidden={!problem}>
        {problem}
      </p>
    </div>
  );
}
