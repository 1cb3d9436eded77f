import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Editor } from "../create-editor.ts";
import { placeMenu, visibleArea } from "./visible-area.ts";
import { slashItems } from "./slash.ts";
import type { Slash } from "./slash.ts";
import type { SlashItem } from "../block.ts";
import { ToolIcon } from "./tool-button.tsx";
import { choosePictures } from "./toolbar.tsx";
import "../../ui/menu.css";

/** The insertable blocks, filtered by the text after the slash. The text keeps the focus. */
export function SlashMenu({ editor, slash }: { editor: Editor; slash: Slash }) {
  const id = useId();
  const found = slashItems(editor.view.state, slash);
  const [at, setAt] = useState(0);
  const active = found[Math.min(at, found.length - 1)];
  const menu = useRef<HTMLDivElement>(null);
  const isOpen = found.length > 0;
  useLayoutEffect(
    () => (isOpen ? keepPlaced(menu.current!, editor, slash.from) : undefined),
    [editor, slash.from, isOpen],
  );

  const choose = (item: SlashItem | undefined): boolean => {
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

  if (!isOpen) return null;
  return createPortal(
    <div ref={menu} id={id} role="listbox" aria-label="Insert" className="menu editor-menu editor-slash">
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
          <ToolIcon path={item.icon} />
          <span>{item.name}</span>
        </div>
      ))}
    </div>,
    document.body,
  );
}

/** Keeps the menu beside its line on scroll and resize. Returns a function that stops this. */
function keepPlaced(menu: HTMLElement, editor: Editor, from: number): () => void {
  // The height before filtering.
  const { offsetWidth: width, offsetHeight, clientHeight, scrollHeight } = menu;
  const height = offsetHeight - clientHeight + scrollHeight;
  const place = () => {
    const { side, left, at, maxHeight } = placeMenu(
      editor.view.coordsAtPos(Math.min(from, editor.view.state.doc.content.size)),
      { width, height },
      visibleArea(editor),
    );
    const isBelow = side === "below";
    menu.style.left = `${left}px`;
    menu.style.top = isBelow ? `${at}px` : "auto";
    menu.style.bottom = isBelow ? "auto" : `${window.innerHeight - at}px`;
    menu.style.setProperty("--room", `${maxHeight}px`);
  };
  place();
  const viewport = window.visualViewport;
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener("scroll", place, { capture: true, passive: true, signal });
  window.addEventListener("resize", place, { signal });
  for (const name of ["resize", "scroll"]) viewport?.addEventListener(name, place, { signal });
  return () => end.abort();
}
