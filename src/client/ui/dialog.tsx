import { Dialog as AriakitDialog, DialogDismiss, DialogHeading } from "@ariakit/react/dialog";
import type { ReactNode, RefObject } from "react";
import { Icon } from "./icon.tsx";
import "./dialog.css";

interface Props {
  title: string;
  onClose: () => void;
  children?: ReactNode;
  /** Buttons at the bottom, the harmless one first. */
  actions?: ReactNode;
  /** The initial focus; otherwise the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** A sheet from the side. */
  sheet?: boolean;
  /** As wide as the page, for columns; full screen on phones. */
  wide?: boolean;
  alert?: boolean;
}

/** A modal dialog. Import it only from modules loaded on demand: it depends on Ariakit. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  initialFocus,
  sheet = false,
  wide = false,
  alert = false,
}: Props) {
  return (
    <AriakitDialog
      open
      onClose={onClose}
      role={alert ? "alertdialog" : "dialog"}
      className={`popup dialog${sheet ? " dialog-sheet" : ""}${wide ? " dialog-wide" : ""}`}
      backdrop={<div className="dialog-shade" />}
      {...(initialFocus ? { initialFocus } : {})}
    >
      <div className="row between top gap-4">
        <DialogHeading className="title-xl">{title}</DialogHeading>
        {!alert && (
          <DialogDismiss className="icon-button dialog-close" aria-label="Close">
            <Icon name="close" />
          </DialogDismiss>
        )}
      </div>
      {children && <div className="soft dialog-body">{children}</div>}
      {actions && <div className="row wrap dialog-actions">{actions}</div>}
    </AriakitDialog>
  );
}
