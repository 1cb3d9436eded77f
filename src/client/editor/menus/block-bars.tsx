import { Toolbar } from "@ariakit/react/toolbar";
import { useStore } from "../../ui/external-store.ts";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import type { Editor } from "../create-editor.ts";
import { BlockBar, onBarKey, useIsNear } from "./block-bar.tsx";
import { IconButton } from "./tool-button.tsx";
import { LanguageMenu, TableMenu, tableTools } from "./toolbar-menus.tsx";

/** The tools of the table or code with the caret: at the block, in narrow windows beside the other tools. */
export function BlockBars({ editor, hasBubble }: { editor: Editor; hasBubble: boolean }) {
  const facts = useStore(editor.facts);
  const isWide = useMediaQuery("(min-width: 64rem)");
  const isNear = useIsNear(editor);
  const { tablePos, codeBlockPos } = facts;
  const own = { editor, facts };
  if (tablePos === null && codeBlockPos === null) return null;
  if (!isWide) {
    return (
      <Toolbar
        className="editor-block-bar editor-block-tools row gap-0 fixed"
        aria-label={codeBlockPos === null ? "Table" : "Code"}
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => onBarKey(event, editor)}
      >
        {codeBlockPos === null ? <TableMenu {...own} /> : <LanguageMenu {...own} />}
      </Toolbar>
    );
  }
  if (!isNear || hasBubble) return null;
  const rectOf = (pos: number) => () => {
    const dom = editor.view.nodeDOM(pos);
    return (dom instanceof Element ? dom : editor.view.dom).getBoundingClientRect();
  };
  return (
    <>
      {codeBlockPos !== null && (
        <BlockBar
          editor={editor}
          label="Code"
          className="code-bar"
          placement="top-end"
          gutter={-14}
          rect={rectOf(codeBlockPos)}
        >
          <LanguageMenu {...own} />
        </BlockBar>
      )}
      {tablePos !== null && (
        <BlockBar
          editor={editor}
          className="table-bar"
          label="Table"
          placement="top-start"
          gutter={4}
          rect={rectOf(tablePos)}
        >
          {tableTools.map(({ name, icon, command, pressed }) => (
            <IconButton
              key={name}
              name={name}
              icon={icon}
              aria-pressed={pressed?.(facts)}
              onClick={() => editor.run(command)}
            />
          ))}
        </BlockBar>
      )}
    </>
  );
}
