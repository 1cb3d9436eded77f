import { useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { FieldError } from "../../ui/field.tsx";
import type { Editor } from "../create-editor.ts";
import { setFigureLink } from "../blocks/figure-commands.ts";
import { removeLink, setLink, shownLink, typedLink } from "../links.ts";
import { EditorPopover, figureRect, selectionRect } from "./popover.tsx";

interface Props {
  editor: Editor;
  /** What becomes a link: the selected text or the figure's picture. */
  of: "text" | "figure";
  onClose: () => void;
}

export function LinkPopover({ editor, of, onClose }: Props) {
  const id = useId();
  const isOfText = of === "text";
  const present = isOfText ? editor.facts.get().link : editor.facts.get().figureLink;
  const [address, setAddress] = useState(shownLink(present ?? ""));
  const [isInvalid, setInvalid] = useState(false);
  const apply = () => {
    const href = typedLink(address);
    if (!href) {
      setInvalid(true);
      return;
    }
    editor.run(isOfText ? setLink(href) : setFigureLink(href));
    onClose();
  };
  return (
    <EditorPopover
      editor={editor}
      label="Link"
      rect={() => (isOfText ? selectionRect(editor) : figureRect(editor))}
      onClose={onClose}
    >
      <form
        className="stack gap-2"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // React events bubble through portals: the page's form would be submitted too.
          event.stopPropagation();
          apply();
        }}
      >
        <label className="field-label" htmlFor={id}>
          Link address
        </label>
        <input
          id={id}
          className="field-box"
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          value={address}
          aria-invalid={isInvalid || undefined}
          onFocus={(event) => event.target.select()}
          aria-describedby={isInvalid ? `${id}-error` : undefined}
          onChange={(event) => {
            setAddress(event.target.value);
            setInvalid(false);
          }}
        />
        <FieldError
          id={id}
          error={
            isInvalid ? "Enter a web address (https://…), an email address, or tel: and a number." : null
          }
        />
        <div className="row to-end">
          {present !== null && (
            <>
              <a
                className="button button-quiet button-small"
                href={present}
                target="_blank"
                rel="noopener noreferrer"
              >
                Open
              </a>
              <Button
                kind="quiet"
                size="s"
                onClick={() => {
                  editor.run(isOfText ? removeLink : setFigureLink(null));
                  onClose();
                }}
              >
                Remove link
              </Button>
            </>
          )}
          <Button type="submit" kind="primary" size="s">
            {present ? "Change" : "Add link"}
          </Button>
        </div>
      </form>
    </EditorPopover>
  );
}
