import { ToolbarItem } from "@ariakit/react/toolbar";
import { useStore } from "../../ui/external-store.ts";
import type { Command } from "prosemirror-state";
import type { FigureSize } from "../../../shared/document/blocks/picture.ts";
import type { Editor } from "../create-editor.ts";
import { BlockBar, useIsNear } from "../menus/block-bar.tsx";
import { figureRect } from "../menus/popover.tsx";
import { visibleArea } from "../menus/visible-area.ts";
import { IconButton } from "../menus/tool-button.tsx";
import { icons } from "../menus/icons.ts";
import { pairWithNext, removeFigure, setFigureSize, splitPair, toCaption } from "./figure-commands.ts";

const sizes: { size: FigureSize; name: string; icon: string }[] = [
  { size: "text", name: "As wide as the text", icon: icons.figureText },
  { size: "wide", name: "Wide", icon: icons.figureWide },
  { size: "full", name: "As wide as the window", icon: icons.figureFull },
];

/** The selected figure's tools, above it. Tab moves into them, Escape back. */
export function FigureBar({ editor }: { editor: Editor }) {
  const { figure } = useStore(editor.facts);
  const isNear = useIsNear(editor);
  return figure !== null && isNear ? <Tools key={figure} editor={editor} /> : null;
}

/** Runs a command that resizes the picture. Scrolls only to a picture out of view: the next click is at the same place. */
function resize(editor: Editor, command: Command): void {
  editor.run(command);
  const { top, bottom } = figureRect(editor);
  const visible = visibleArea(editor);
  if (bottom > visible.top && top < visible.bottom) return;
  const dom = editor.view.nodeDOM(editor.facts.get().figure ?? 0);
  if (dom instanceof Element) dom.scrollIntoView({ block: "nearest", behavior: "instant" });
}

function Tools({ editor }: { editor: Editor }) {
  const facts = useStore(editor.facts);
  const editAlt = () => {
    const { picture } = facts;
    const anchor = picture === null ? null : editor.view.nodeDOM(picture);
    if (picture !== null && anchor instanceof HTMLElement)
      editor.openQuestion({ about: "alt", pos: picture, anchor });
  };
  return (
    <BlockBar
      editor={editor}
      label="Picture"
      className="figure-bar"
      flips={false}
      rect={() => figureRect(editor)}
    >
      {sizes.map(({ size, name, icon }) => (
        <IconButton
          key={size}
          name={name}
          icon={icon}
          aria-pressed={facts.figureSize === size}
          onClick={() => resize(editor, setFigureSize(size))}
        />
      ))}
      <IconButton
        name={facts.isPaired ? "Below each other" : "Beside the next"}
        icon={facts.isPaired ? icons.apart : icons.beside}
        disabled={!facts.isPaired && !facts.canPair}
        onClick={() => resize(editor, facts.isPaired ? splitPair : pairWithNext)}
      />
      <IconButton
        name="Link"
        icon={icons.link}
        tip="Make the picture a link"
        aria-pressed={facts.figureLink !== null}
        aria-haspopup="dialog"
        onClick={() => editor.openQuestion({ about: "link", of: "figure" })}
      />
      <ToolbarItem
        className="editor-tool"
        aria-haspopup="dialog"
        aria-label="Alt text"
        data-tip="Describe the picture for people who can’t see it"
        onClick={editAlt}
      >
        Alt
      </ToolbarItem>
      <IconButton
        name="Caption"
        icon={icons.caption}
        tip="Text below the picture  Enter"
        onClick={() => editor.run(toCaption)}
      />
      <IconButton
        name="Remove"
        icon={icons.remove}
        tip="Remove the picture"
        onClick={() => editor.run(removeFigure)}
      />
    </BlockBar>
  );
}
