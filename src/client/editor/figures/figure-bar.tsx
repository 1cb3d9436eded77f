import { Popover, usePopoverStore } from "@ariakit/react/popover";
import { Toolbar, ToolbarItem } from "@ariakit/react/toolbar";
import { useEffect, useLayoutEffect, useState } from "react";
import { useStore } from "../../ui/external-store.ts";
import type { FigureSize } from "../../../shared/document/figure-nodes.ts";
import type { Editor } from "../create-editor.ts";
import { ToolIcon, type ToolIconName } from "../menus/tool-icons.tsx";
import { useTip } from "../menus/use-tip.tsx";
import { pairWithNext, setFigureSize, splitPair, toCaption } from "./figures.ts";

const sizes: { size: FigureSize; name: string; icon: ToolIconName }[] = [
  { size: "text", name: "As wide as the text", icon: "figureText" },
  { size: "wide", name: "Wide", icon: "figureWide" },
  { size: "full", name: "As wide as the window", icon: "figureFull" },
];

/** Where the focus keeps the bar shown. */
const near = ".editor-content, .figure-bar";

/** The selected figure's tools, above it. Tab moves into them, Escape back. */
export function FigureBar({ editor }: { editor: Editor }) {
  const { figure } = useStore(editor.facts);
  const [isNear, setNear] = useState(() => editor.view.hasFocus());
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => setNear((target as Element).closest(near) !== null);
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  return figure !== null && isNear ? <Tools key={figure} editor={editor} /> : null;
}

function Tools({ editor }: { editor: Editor }) {
  const facts = useStore(editor.facts);
  const { tip, tipProps } = useTip();
  const popover = usePopoverStore({ open: true, placement: "top" });
  useLayoutEffect(() => popover.render());
  useEffect(() => popover.setAnchorElement(editor.view.dom), [editor, popover]);
  const shown = () => {
    const dom = facts.figure === null ? null : editor.view.nodeDOM(facts.figure);
    const picture = dom instanceof Element ? (dom.querySelector("img, .editor-elsewhere") ?? dom) : null;
    return (picture ?? editor.view.dom).getBoundingClientRect();
  };
  const editAlt = () => {
    const { picture } = facts;
    const anchor = picture === null ? null : editor.view.nodeDOM(picture);
    if (picture !== null && anchor instanceof HTMLElement)
      editor.openQuestion({ about: "alt", pos: picture, anchor });
  };
  return (
    <>
      <Popover
        store={popover}
        render={<Toolbar />}
        role="toolbar"
        aria-label="Picture"
        className="editor-bubble figure-bar"
        portal
        preserveTabOrder={false}
        gutter={8}
        overlap
        overflowPadding={{ top: 124, right: 8, bottom: 72, left: 8 }}
        autoFocusOnShow={false}
        autoFocusOnHide={false}
        hideOnEscape={false}
        hideOnInteractOutside={false}
        getAnchorRect={shown}
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Escape") editor.view.focus();
        }}
        {...tipProps}
      >
        {sizes.map(({ size, name, icon }) => (
          <ToolbarItem
            key={size}
            className="editor-tool"
            aria-label={name}
            aria-pressed={facts.figureSize === size}
            data-tip={name}
            onClick={() => editor.run(setFigureSize(size))}
          >
            <ToolIcon name={icon} />
          </ToolbarItem>
        ))}
        <ToolbarItem
          className="editor-tool"
          aria-label={facts.isPaired ? "Below each other" : "Beside the next"}
          data-tip={facts.isPaired ? "Below each other" : "Beside the next"}
          disabled={!facts.isPaired && !facts.canPair}
          accessibleWhenDisabled
          onClick={() => editor.run(facts.isPaired ? splitPair : pairWithNext)}
        >
          <ToolIcon name={facts.isPaired ? "apart" : "beside"} />
        </ToolbarItem>
        <ToolbarItem
          className="editor-tool"
          aria-haspopup="dialog"
          aria-label="Alt text"
          data-tip="Describe the picture for people who can’t see it"
          onClick={editAlt}
        >
          Alt
        </ToolbarItem>
        <ToolbarItem
          className="editor-tool"
          data-tip="Text below the picture  Enter"
          aria-label="Caption"
          onClick={() => editor.run(toCaption)}
        >
          Caption
        </ToolbarItem>
      </Popover>
      {tip}
    </>
  );
}

/** Returns false when there is no bar. */
export function toFigureBar(): boolean {
  const first = document.querySelector<HTMLElement>(".figure-bar .editor-tool");
  first?.focus();
  return first !== null;
}
