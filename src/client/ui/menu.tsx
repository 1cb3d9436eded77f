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
      /** Where it leads, or what it does. */
      to?: string;
      run?: () => void;
      /** Makes it one of several to choose from, and says whether it is the chosen one. */
      checked?: boolean;
      /** How many wait there; nothing is shown where none does. */
      count?: number;
    };

/** Opened by the keyboard, the first entry has the focus at once. */
export type Opened = "keyboard" | "pointer" | false;

const MenuPopup = onDemand(() => import("./menu-popup.tsx"));

interface Props {
  /** The accessible name of the button, and of the menu. */
  label: string;
  /** What the button shows. */
  children: ReactNode;
  entries: readonly MenuEntry[];
  className?: string;
  align?: "start" | "end";
}

/** A button with a menu. The menu's code is fetched when the button is first touched. */
export function Menu({ label, children, entries, className, align = "end" }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<Opened>(false);
  const [used, setUsed] = useState(false);
  const show = (by: Opened): void => {
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
