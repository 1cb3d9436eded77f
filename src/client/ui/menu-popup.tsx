import { Menu, MenuItem, MenuSeparator, useMenuStore } from "@ariakit/react/menu";
import { useEffect, useId } from "react";
import type { ComponentProps, RefObject } from "react";
import { Link } from "./link.tsx";
import { Icon } from "./icon.tsx";
import type { MenuBadge, MenuEntry, OpenedBy } from "./menu.tsx";
import "./menu.css";

interface Props {
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  entries: readonly MenuEntry[];
  Badge?: MenuBadge | undefined;
  openedBy: OpenedBy;
  onOpen: (open: boolean) => void;
  align: "start" | "end";
}

/** The part of a menu that needs Ariakit. */
export default function MenuPopup({ label, button, entries, Badge, openedBy, onOpen, align }: Props) {
  const id = useId();
  const menu = useMenuStore({ setOpen: onOpen, placement: align === "end" ? "bottom-end" : "bottom-start" });
  useEffect(() => {
    // The existing button anchors the menu and gets the focus back.
    menu.setAnchorElement(button.current);
    menu.setDisclosureElement(button.current);
  }, [menu, button]);
  useEffect(() => {
    if (!openedBy) {
      menu.hide();
      return;
    }
    menu.setInitialFocus(openedBy === "keyboard" ? "first" : "container");
    menu.setAutoFocusOnShow(true);
    menu.show();
  }, [menu, openedBy]);
  return (
    <Menu store={menu} className="menu" aria-label={label} gutter={6} portal unmountOnHide>
      {entries.map((entry, index) => {
        if (entry === "line") return <MenuSeparator key={index} className="menu-line" />;
        const { label: text, icon, danger, to, run, checked } = entry;
        return (
          <MenuItem
            key={text}
            className="menu-item"
            data-danger={danger || undefined}
            aria-describedby={to && Badge ? `${id}-${index}` : undefined}
            {...(checked === undefined ? {} : { role: "menuitemradio", "aria-checked": checked })}
            {...(to ? { render: (props: ComponentProps<"a">) => <Link {...props} to={to} /> } : {})}
            onClick={run}
          >
            {icon && <Icon name={icon} />}
            <span>{text}</span>
            {checked && <Icon name="check" />}
            {to && Badge && <Badge id={`${id}-${index}`} to={to} />}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
