import { Toolbar as AriakitToolbar } from "@ariakit/react/toolbar";
import { acceptAttribute } from "../../uploads/files.ts";
import { memo, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { useStore } from "../../ui/external-store.ts";
import type { Editor } from "../create-editor.ts";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { AlignMenu, HeadingMenu, LanguageMenu, TableMenu, ValueMenu } from "./toolbar-menus.tsx";
import { ColorMenu } from "./color-menu.tsx";
import { IconButton, LinkButton, ToolButton } from "./tool-button.tsx";
import { tools } from "./tools.ts";
import type { Tool } from "../block.ts";
import { icons } from "./icons.ts";
import { useTip } from "./use-tip.tsx";
import { hasSmartQuotes, setSmartQuotes } from "../smart-quotes.ts";
import "./toolbar.css";

/**
 * One Tab stop; arrows move within it (ARIA "toolbar"), Escape returns to the text, Alt-F10 comes from there. The most used
 * tools come first, since a phone shows only these. Memoized: the form renders with each commit.
 */
export const Toolbar = memo(function Toolbar({ editor }: { editor: Editor }) {
  const facts = useStore(editor.facts);
  const bar = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery("(min-width: 64rem)");
  const { tip, tipProps } = useTip();
  useScrollEdges(bar);

  const own = { editor, facts };
  const button = (tool: Tool) => <ToolButton {...own} tool={tool} />;

  return (
    <>
      <AriakitToolbar
        ref={bar}
        className="editor-bar row wrap"
        aria-label="Formatting"
        // The text keeps the focus and its selection, a phone its keyboard.
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Escape" && event.currentTarget.contains(event.target as Node))
            editor.view.focus();
        }}
        {...tipProps}
      >
        <div className="editor-tools row">
          {!isWide && button(tools.undo)}
          {button(tools.bold)}
          {button(tools.italic)}
          <LinkButton {...own} />
          <IconButton
            name="Image"
            icon={icons.image}
            onClick={() => choosePictures((files) => editor.pictures.add(files))}
          />
        </div>
        <div className="editor-tools row">
          {button(tools.bullets)}
          {button(tools.numbers)}
        </div>
        <div className="editor-tools row">
          <HeadingMenu {...own} />
          {button(tools.quote)}
          {button(tools.codeBlock)}
          {isWide && facts.codeBlock && <LanguageMenu {...own} />}
          {isWide && facts.tablePos !== null && <TableMenu {...own} />}
        </div>
        <div className="editor-tools row">
          {isWide && button(tools.undo)}
          {button(tools.redo)}
        </div>
        <div className="editor-tools row">
          {button(tools.underline)}
          {button(tools.strike)}
          {button(tools.code)}
          <ColorMenu {...own} kind="color" />
          <ColorMenu {...own} kind="background" />
          {button(tools.sub)}
          {button(tools.sup)}
        </div>
        <div className="editor-tools row">
          {button(tools.outdent)}
          {button(tools.indent)}
          <AlignMenu {...own} />
        </div>
        <div className="editor-tools row">
          {button(tools.rule)}
          {button(tools.clean)}
          <SmartQuotesButton />
        </div>
        <div className="editor-tools row">
          <ValueMenu {...own} of="font" />
          <ValueMenu {...own} of="size" />
        </div>
      </AriakitToolbar>
      {tip}
    </>
  );
});

/** Opens the file dialog. The input is not in the page, where the cover already has one. */
export function choosePictures(use: (files: File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = acceptAttribute("text");
  input.addEventListener("change", () => use([...(input.files ?? [])]));
  input.click();
}

/** Sets `data-before` and `data-after` while there is more to scroll to. */
function useScrollEdges(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const hidden = element.scrollWidth - element.clientWidth;
      element.toggleAttribute("data-before", element.scrollLeft > 1);
      element.toggleAttribute("data-after", element.scrollLeft < hidden - 1);
    };
    const sizes = new ResizeObserver(measure);
    for (const part of [element, ...element.children]) sizes.observe(part);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller]);
}

/** Toggles smart quotes and dashes on this device. */
function SmartQuotesButton() {
  const [isOn, setOn] = useState(hasSmartQuotes);
  return (
    <IconButton
      name="Smart quotes and dashes"
      icon={icons.signs}
      aria-pressed={isOn}
      onClick={() => {
        setSmartQuotes(!isOn);
        setOn(!isOn);
      }}
    />
  );
}
