import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { IconName } from "./icon.tsx";
import { onDemand } from "./on-demand.tsx";

export type MenuEntry =
  | "line"
  | {
      label: string;
      icon?: IconName;
      danger?: boolean;
      /** A link target or an action. */
      to?: string;
      run?: () => void;
      /** Makes it a radio item; whether it is chosen. */
      checked?: boolean;
    };

export type MenuBadge = (props: { id: string; to: string }) => ReactNode;

/** Opened by keyboard, the first entry gets the focus. */
export type OpenedBy = "keyboard" | "pointer" | false;

const MenuPopup = onDemand(() => import("./menu-popup.tsx"));

interface Props {
  /** The accessible name of button and menu. */
  label: string;
  children: ReactNode;
  entries: readonly MenuEntry[];
  /** Shows the badge of a link. */
  Badge?: MenuBadge;
  className?: string;
  align?: "start" | "end";
}

/** A button with a menu, fetched when the button is first touched. */
export function Menu({ label, children, entries, Badge, className, align = "end" }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [openedBy, setOpenedBy] = useState<OpenedBy>(false);
  const [isMounted, setMounted] = useState(false);
  const show = (by: OpenedBy): void => {
    setMounted(true);
    setOpenedBy(by);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={openedBy !== false}
        onPointerEnter={MenuPopup.prepare}
        onFocus={MenuPopup.prepare}
        onClick={({ detail }) =>
          openedBy ? setOpenedBy(false) : show(detail === 0 ? "keyboard" : "pointer")
        }
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          show("keyboard");
        }}
      >
        {children}
      </button>
      {isMounted && (
        <MenuPopup
          label={label}
          button={button}
          entries={entries}
          Badge={Badge}
          openedBy={openedBy}
          onOpen={(open) => !open && setOpenedBy(false)}
          align={align}
          onFail={() => {
            setOpenedBy(false);
            setMounted(false);
          }}
        />
      )}
    </>
  );
}
