import { Menu, MenuButton, MenuItem, MenuSeparator, useMenuStore } from "@ariakit/react/menu";
import { ToolbarItem } from "@ariakit/react/toolbar";
import type { Command } from "prosemirror-state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
} from "prosemirror-tables";
import { Fragment, useRef } from "react";
import type { CSSProperties, ReactNode } from "react";
import { schema } from "../../../shared/document/schema.ts";
import { Icon } from "../../ui/icon.tsx";
import { shortcutText } from "../../ui/shortcut-text.ts";
import { setAlign, setMark } from "../commands.ts";
import { setCodeLanguage } from "../blocks/code.ts";
import { setHeading, type Level } from "../blocks/heading.ts";
import { addRowAbove, toggleHeaderRow } from "../blocks/table-rows.ts";
import type { Tool } from "../block.ts";
import type { Editor } from "../create-editor.ts";
import type { SelectionState } from "../selection-state.ts";
import { languages } from "../../../shared/document/code-languages.ts";
import { icons } from "./icons.ts";
import { ToolIcon } from "./tool-button.tsx";
import "../../ui/menu.css";

interface Choice {
  name: string;
  command: Command;
  /** A radio item, checked if true. */
  chosen?: boolean;
  /** A checkbox item, checked if true. */
  pressed?: boolean;
  keys?: string;
  /** How the name looks. */
  look?: CSSProperties | undefined;
  icon?: ReactNode;
  /** Puts a separator above it. */
  hasSeparator?: boolean;
}

interface Props {
  editor: Editor;
  /** The accessible name, before `value`. */
  name: string;
  value?: string;
  children: ReactNode;
  choices: readonly Choice[];
  disabled?: boolean;
  /** Of the button at least, so that it keeps its width with any value. */
  width?: string;
  /** A grid, with arrow keys in both directions. */
  grid?: boolean;
}

/** A toolbar button with a menu. A choice focuses the text. */
export function ToolMenu({
  editor,
  name,
  value,
  children,
  choices,
  disabled = false,
  width,
  grid = false,
}: Props) {
  const menu = useMenuStore({ placement: "bottom-start", ...(grid ? { orientation: "both" as const } : {}) });
  const hasChosen = useRef(false);
  const full = value ? `${name}: ${value}` : name;
  return (
    <>
      <MenuButton
        store={menu}
        render={<ToolbarItem />}
        className={`editor-tool${grid ? "" : " editor-choice"}`}
        style={{ minInlineSize: width }}
        aria-label={full}
        data-tip={full}
        disabled={disabled}
        accessibleWhenDisabled
        onClick={() => {
          hasChosen.current = false;
        }}
      >
        {children}
      </MenuButton>
      <Menu
        store={menu}
        className={`menu editor-menu${grid ? " editor-swatches" : ""}`}
        aria-label={name}
        gutter={6}
        overflowPadding={8}
        portal
        unmountOnHide
        onMouseDown={(event) => event.stopPropagation()}
        autoFocusOnHide={() => {
          if (!hasChosen.current) return true;
          hasChosen.current = false;
          editor.view.focus();
          return false;
        }}
      >
        {choices.map(({ name: text, command, chosen, pressed, keys, look, icon, hasSeparator }) => (
          <Fragment key={text}>
            {hasSeparator && <MenuSeparator className="menu-line" />}
            <MenuItem
              className="menu-item"
              aria-label={grid ? text : undefined}
              {...(chosen === undefined ? {} : { role: "menuitemradio", "aria-checked": chosen })}
              {...(pressed === undefined ? {} : { role: "menuitemcheckbox", "aria-checked": pressed })}
              onClick={() => {
                hasChosen.current = true;
                editor.run(command);
              }}
            >
              {icon}
              <span style={look}>{text}</span>
              {keys && <kbd className="editor-keys muted">{shortcutText(keys)}</kbd>}
              {(chosen ?? pressed) && <Icon name="check" size={16} />}
            </MenuItem>
          </Fragment>
        ))}
      </Menu>
    </>
  );
}

interface Own {
  editor: Editor;
  facts: SelectionState;
}

const { marks } = schema;
const down = <Icon name="chevron-down" size={14} />;

const headingSizes = ["", "1.5rem", "1.3rem", "1.125rem", "1rem"];

export function HeadingMenu({ editor, facts }: Own) {
  const names = ["Paragraph", ...[1, 2, 3, 4, 5, 6].map((level) => `Heading ${level}`)];
  const value = facts.codeBlock ? "Code" : facts.heading === null ? "Mixed" : names[facts.heading];
  const all = names.map((name, level) => ({
    name,
    command: setHeading(level as Level),
    chosen: facts.heading === level,
    keys: `Mod-Alt-${level}`,
    look: headingSizes[level] ? { font: `570 ${headingSizes[level]} / 1.3 var(--title)` } : undefined,
  }));
  // Levels 5 and 6 only where the text has them.
  const choices = all.filter(({ chosen }, level) => level <= 4 || chosen);
  return (
    <ToolMenu editor={editor} name="Text style" value={value} choices={choices} width="6.25rem">
      <span>{value}</span>
      {down}
    </ToolMenu>
  );
}

/** The values of a mark: their names, and how they look. "" is the text without the mark. */
const valueMenus = {
  font: {
    name: "Font",
    attr: "family",
    width: "5.75rem",
    values: {
      "": ["Standard", { font: "1.0625rem / 1.3 var(--serif)" }],
      serif: ["Serif", { font: '1rem / 1.3 Georgia, "Times New Roman", serif' }],
      monospace: ["Monospace", { font: "0.875rem / 1.3 var(--mono)" }],
    },
  },
  size: {
    name: "Size",
    attr: "size",
    width: "4.75rem",
    values: {
      small: ["Small", { fontSize: "0.8em" }],
      "": ["Normal", {}],
      large: ["Large", { fontSize: "1.3em" }],
      huge: ["Huge", { fontSize: "1.75em" }],
    },
  },
} satisfies Record<string, { name: string; attr: string; width: string; values: object }>;

export function ValueMenu({ editor, facts, of }: Own & { of: keyof typeof valueMenus }) {
  const { name, attr, width, values } = valueMenus[of];
  const entries = Object.entries(values) as [string, [name: string, look: CSSProperties]][];
  const choices = entries.map(([value, [text, look]]) => ({
    name: text,
    command: setMark(marks[of], value ? { [attr]: value } : null),
    chosen: (facts[of] ?? "") === value,
    look,
  }));
  const shown = choices.find(({ chosen }) => chosen)?.name ?? "";
  return (
    <ToolMenu
      editor={editor}
      name={name}
      value={shown}
      choices={choices}
      disabled={!facts.canMark}
      width={width}
    >
      <span>{shown}</span>
      {down}
    </ToolMenu>
  );
}

export function AlignMenu({ editor, facts }: Own) {
  const all = [
    { name: "Left", align: null, icon: icons.left, keys: "Mod-Shift-l" },
    { name: "Center", align: "center", icon: icons.center, keys: "Mod-Shift-e" },
    { name: "Right", align: "right", icon: icons.right, keys: "Mod-Shift-r" },
    { name: "Justify", align: "justify", icon: icons.justify, keys: "Mod-Shift-j" },
  ] as const;
  const current = all.find(({ align }) => align === facts.align) ?? all[0];
  const choices = all.map(({ name, align, icon, keys }) => ({
    name,
    command: setAlign(align),
    chosen: facts.align === align,
    keys,
    icon: <ToolIcon path={icon} />,
  }));
  return (
    <ToolMenu editor={editor} name="Align" value={current.name} choices={choices} disabled={facts.codeBlock}>
      <ToolIcon path={current.icon} />
      {down}
    </ToolMenu>
  );
}

export function LanguageMenu({ editor, facts }: Own) {
  const entry = languages.find(([, language]) => language === facts.language);
  const value = entry?.[0] ?? facts.language ?? "Plain text";
  const all = entry ? languages : [...languages, [value, facts.language] as const];
  const choices = all.map(([name, language]) => ({
    name,
    command: setCodeLanguage(language),
    chosen: language === facts.language,
  }));
  return (
    <ToolMenu editor={editor} name="Language" value={value} choices={choices}>
      <span>{value}</span>
      {down}
    </ToolMenu>
  );
}

/** Of the table with the caret; `hasSeparator`: it begins a group. */
export const tableTools: readonly (Tool & { hasSeparator?: boolean })[] = [
  { name: "Add row below", icon: icons.addRow, command: addRowAfter },
  { name: "Add row above", icon: icons.addRowAbove, command: addRowAbove },
  { name: "Add column after", icon: icons.addColumn, command: addColumnAfter },
  { name: "Add column before", icon: icons.addColumnBefore, command: addColumnBefore },
  {
    name: "Header row",
    icon: icons.headerRow,
    command: toggleHeaderRow,
    pressed: ({ hasHeaderRow }) => hasHeaderRow,
  },
  { name: "Delete row", icon: icons.deleteRow, command: deleteRow, hasSeparator: true },
  { name: "Delete column", icon: icons.deleteColumn, command: deleteColumn },
  { name: "Delete table", icon: icons.remove, command: deleteTable },
];

export function TableMenu({ editor, facts }: Own) {
  const choices = tableTools.map(({ icon, pressed, ...tool }) => ({
    ...tool,
    ...(pressed && { pressed: pressed(facts) }),
    icon: <ToolIcon path={icon} />,
  }));
  return (
    <ToolMenu editor={editor} name="Table" choices={choices}>
      <ToolIcon path={icons.table} />
      {down}
    </ToolMenu>
  );
}
