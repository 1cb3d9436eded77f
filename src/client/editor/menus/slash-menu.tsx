import { Popover, usePopoverStore } from "@ariakit/react/popover";
import { useEffect, useId, useLayoutEffect, useState } from "react";
import type { Command } from "prosemirror-state";
import { insertTable, setHeading } from "../commands.ts";
import type { Editor } from "../create-editor.ts";
import type { Slash } from "./slash.ts";
import { ToolIcon } from "./tool-icons.tsx";
import type { ToolIconName } from "./tool-icons.tsx";
import { tools } from "./tools.ts";
import { choosePictures } from "./toolbar.tsx";
import "../../ui/menu.css";

interface Item {
  name: string;
  /** Other words it is found by. */
  words: string;
  icon: ToolIconName;
  command?: Command;
}

const items: readonly Item[] = [
  { name: "Heading 1", words: "title h1", icon: "heading", command: setHeading(1) },
  { name: "Heading 2", words: "section h2", icon: "heading", command: setHeading(2) },
  { name: "Heading 3", words: "h3", icon: "heading", command: setHeading(3) },
  { name: "Bullet list", words: "ul unordered points", icon: "bullets", command: tools.bullets.command },
  { name: "Numbered list", words: "ol ordered", icon: "numbers", command: tools.numbers.command },
  { name: "Blockquote", words: "quote citation", icon: "quote", command: tools.quote.command },
  { name: "Code block", words: "pre program", icon: "codeBlock", command: tools.codeBlock.command },
  { name: "Image", words: "picture photo upload", icon: "image" },
  { name: "Table", words: "rows columns", icon: "table", command: insertTable },
  { name: "Horizontal rule", words: "line divider hr", icon: "rule", command: tools.rule.command },
];

/** What can be inserted, narrowed down by what is typed behind the slash. The focus stays in the text. */
export function SlashMenu({ editor, slash }: { editor: Editor; slash: Slash }) {
  const id = useId();
  const found = items.filter(
    ({ name, words }) =>
      `${name} ${words}`
        .toLowerCase()
        .split(" ")
        .some((word) => word.startsWith(slash.query)) || name.toLowerCase().startsWith(slash.query),
  );
  const [at, setAt] = useState(0);
  const active = found[Math.min(at, found.length - 1)];
  const popover = usePopoverStore({ open: found.length > 0, placement: "bottom-start" });

  const choose = (item: Item | undefined): boolean => {
    if (!item) return false;
    const { state, dispatch } = editor.view;
    dispatch(state.tr.delete(slash.from, state.selection.to));
    if (item.command) editor.run(item.command);
    else choosePictures((files) => editor.pictures.add(files));
    return true;
  };
  useLayoutEffect(() => {
    editor.slashKeys = {
      move: (by) =>
        setAt((now) => (Math.min(now, found.length - 1) + by + found.length) % Math.max(found.length, 1)),
      choose: () => choose(active),
    };
    return () => {
      editor.slashKeys = null;
    };
  });
  useEffect(() => {
    const { dom } = editor.view;
    if (active) {
      dom.setAttribute("aria-controls", id);
      dom.setAttribute("aria-activedescendant", `${id}-${active.name}`);
      document.getElementById(`${id}-${active.name}`)?.scrollIntoView({ block: "nearest" });
    }
    return () => {
      dom.removeAttribute("aria-controls");
      dom.removeAttribute("aria-activedescendant");
    };
  }, [editor, id, active]);

  return (
    <Popover
      store={popover}
      id={id}
      role="listbox"
      aria-label="Insert"
      className="menu editor-menu editor-slash"
      portal
      gutter={6}
      overflowPadding={8}
      autoFocusOnShow={false}
      autoFocusOnHide={false}
      hideOnEscape={false}
      getAnchorRect={() => {
        const { left, top, bottom } = editor.view.coordsAtPos(slash.from);
        return { x: left, y: top, width: 1, height: bottom - top };
      }}
    >
      {found.map((item) => (
        <div
          key={item.name}
          id={`${id}-${item.name}`}
          role="option"
          tabIndex={-1}
          aria-selected={item === active}
          data-active-item={item === active || undefined}
          className="menu-item"
          onMouseDown={(event) => {
            event.preventDefault();
            choose(item);
          }}
        >
          <ToolIcon name={item.icon} />
          <span>{item.name}</span>
        </div>
      ))}
    </Popover>
  );
}
