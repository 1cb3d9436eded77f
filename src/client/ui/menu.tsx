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
      /** A badge's count; 0 shows none. */
      count?: number;
    };

/** Opened by keyboard, the first entry gets the focus. */
export type OpenedBy = "keyboard" | "pointer" | false;

const MenuPopup = onDemand(() => import("./menu-popup.tsx"));

interface Props {
  /** The accessible name of button and menu. */
  label: string;
  children: ReactNode;
  entries: readonly MenuEntry[];
  className?: string;
  align?: "start" | "end";
}

/** A button with a menu, fetched when the button is first touched. */
export function Menu({ label, children, entries, className, align = "end" }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<OpenedBy>(false);
  const [used, setUsed] = useState(false);
  const show = (by: OpenedBy): void => {
    setUsed(true);
    setOpened(by);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened !== false}
        onPointerEnter={MenuPopup.prepare}
        onFocus={MenuPopup.prepare}
        onClick={({ detail }) => (opened ? setOpened(false) : show(detail === 0 ? "keyboard" : "pointer"))}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          show("keyboard");
        }}
      >
        {children}
      </button>
      {used && (
        <MenuPopup
          label={label}
          button={button}
          entries={entries}
          opened={opened}
          onOpen={(open) => !open && setOpened(false)}
          align={align}
          onFail={() => {
            setOpened(false);
            setUsed(false);
          }}
        />
      )}
    </>
  );
}
