import { Toolbar as AriakitToolbar, ToolbarItem } from "@ariakit/react/toolbar";
import { Tooltip, useTooltipStore } from "@ariakit/react/tooltip";
import { useRef, useState, useSyncExternalStore } from "react";
import type { FocusEvent, PointerEvent } from "react";
import type { Editor } from "./create-editor.ts";
import { textPictureTypes } from "./picture-files.ts";
import { AlignMenu, FontMenu, HeadingMenu, LanguageMenu, SizeMenu, TableMenu } from "./toolbar-menus.tsx";
import { ColorMenu } from "./color-menu.tsx";
import { ToolIcon } from "./tool-icons.tsx";
import { shownKeys, spokenKeys, tools } from "./tools.ts";
import type { Tool } from "./tools.ts";
import "./toolbar.css";

/**
 * One stop for the Tab key; arrows move inside (ARIA "toolbar"), Escape leads back to the text, Alt-F10 from there to it.
 * Every control says its name, state and shortcut.
 */
export function Toolbar({ editor }: { editor: Editor }) {
  const facts = useSyncExternalStore(editor.subscribe, editor.facts);
  const { tip, tipProps } = useTip();

  const button = (tool: Tool) => (
    <ToolbarItem
      key={tool.name}
      className="editor-tool"
      aria-label={tool.name}
      aria-pressed={tool.pressed?.(facts)}
      aria-keyshortcuts={tool.keys && spokenKeys(tool.keys)}
      data-tip={tool.keys ? `${tool.name}  ${shownKeys(tool.keys)}` : tool.name}
      disabled={tool.disabled?.(facts) ?? false}
      accessibleWhenDisabled
      onClick={() => editor.run(tool.command)}
    >
      <ToolIcon name={tool.icon} />
    </ToolbarItem>
  );

  return (
    <>
      <AriakitToolbar
        className="editor-bar"
        aria-label="Formatting"
        // The text keeps the focus and its selection, and a phone its keyboard.
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Escape" && event.currentTarget.contains(event.target as Node))
            editor.view.focus();
        }}
        {...tipProps}
      >
        <div className="editor-tools">
          {button(tools.undo)}
          {button(tools.redo)}
        </div>
        <div className="editor-tools">
          <HeadingMenu editor={editor} facts={facts} />
          <FontMenu editor={editor} facts={facts} />
          <SizeMenu editor={editor} facts={facts} />
        </div>
        <div className="editor-tools">
          {button(tools.bold)}
          {button(tools.italic)}
          {button(tools.underline)}
          {button(tools.strike)}
          {button(tools.code)}
          <ColorMenu editor={editor} facts={facts} kind="color" />
          <ColorMenu editor={editor} facts={facts} kind="background" />
          {button(tools.sub)}
          {button(tools.sup)}
        </div>
        <div className="editor-tools">
          {button(tools.bullets)}
          {button(tools.numbers)}
          {button(tools.outdent)}
          {button(tools.indent)}
          <AlignMenu editor={editor} facts={facts} />
        </div>
        <div className="editor-tools">
          {button(tools.quote)}
          {button(tools.codeBlock)}
          {facts.codeBlock && <LanguageMenu editor={editor} facts={facts} />}
          {facts.inTable && <TableMenu editor={editor} />}
        </div>
        <div className="editor-tools">
          {/* Not run through editor.run: the focus goes on into the question it opens. */}
          <ToolbarItem
            className="editor-tool"
            aria-label="Link"
            aria-pressed={facts.link !== null}
            aria-haspopup="dialog"
            aria-keyshortcuts={spokenKeys("Mod-k")}
            data-tip={`Link  ${shownKeys("Mod-k")}`}
            disabled={!facts.canMark}
            accessibleWhenDisabled
            onClick={() => editor.ask({ about: "link" })}
          >
            <ToolIcon name="link" />
          </ToolbarItem>
          <ToolbarItem
            className="editor-tool"
            aria-label="Image"
            data-tip="Image"
            onClick={() => choosePictures((files) => editor.pictures.add(files))}
          >
            <ToolIcon name="image" />
          </ToolbarItem>
          {button(tools.rule)}
          {button(tools.clean)}
        </div>
      </AriakitToolbar>
      {tip}
    </>
  );
}

/** Opens the system's file dialog. The input stands in no page: there is one for the cover already, and it is the form's. */
export function choosePictures(use: (files: File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = textPictureTypes.join(",");
  input.addEventListener("change", () => use([...(input.files ?? [])]));
  input.click();
}

/** One tooltip for the whole bar: it shows `data-tip` of the control that is pointed at or reached with the keyboard. */
function useTip() {
  const tooltip = useTooltipStore({ placement: "bottom", timeout: 400 });
  const [text, setText] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = (target: EventTarget, delay: number) => {
    clearTimeout(timer.current);
    const control = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
    if (!control) {
      tooltip.hide();
      return;
    }
    timer.current = setTimeout(() => {
      setText(control.dataset.tip!);
      tooltip.setAnchorElement(control);
      tooltip.show();
    }, delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    tooltip.hide();
  };
  return {
    tip: (
      <Tooltip store={tooltip} className="editor-tip" gutter={6} portal unmountOnHide aria-hidden>
        {text}
      </Tooltip>
    ),
    tipProps: {
      onPointerOver: (event: PointerEvent) => {
        if (event.pointerType === "mouse") show(event.target, tooltip.getState().open ? 0 : 500);
      },
      onPointerLeave: hide,
      onPointerDown: hide,
      onFocus: (event: FocusEvent) => {
        if (event.target instanceof Element && event.target.matches("[data-focus-visible], :focus-visible"))
          show(event.target, 0);
      },
      onBlur: hide,
    },
  };
}
