import { Menu, MenuButton, MenuItem, MenuSeparator, useMenuStore } from "@ariakit/react/menu";
import { ToolbarItem } from "@ariakit/react/toolbar";
import type { Command } from "prosemirror-state";
import { Fragment, useRef } from "react";
import type { CSSProperties, ReactNode } from "react";
import { schema } from "../../../shared/document/schema.ts";
import { Icon } from "../../ui/icon.tsx";
import { shortcutText } from "../../ui/shortcut-text.ts";
import { setAlign, setMark } from "../commands.ts";
import { setCodeLanguage } from "../blocks/code.ts";
import { setHeading, type Level } from "../blocks/heading.ts";
import type { Editor } from "../create-editor.ts";
import type { SelectionState } from "../selection-state.ts";
import { languages } from "../../../shared/document/code-languages.ts";
import { tableTools } from "./table-tools.ts";
import { icons } from "./icons.ts";
import { ToolIcon } from "./tool-icons.tsx";
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

const fonts: Record<string, string> = {
  "": "1.0625rem / 1.3 var(--serif)",
  serif: '1rem / 1.3 Georgia, "Times New Roman", serif',
  monospace: "0.875rem / 1.3 var(--mono)",
};

export function FontMenu({ editor, facts }: Own) {
  const names = { "": "Standard", serif: "Serif", monospace: "Monospace" };
  const value = names[(facts.font ?? "") as keyof typeof names];
  const choices = Object.entries(names).map(([family, name]) => ({
    name,
    command: setMark(marks.font, family ? { family } : null),
    chosen: (facts.font ?? "") === family,
    look: { font: fonts[family] },
  }));
  return (
    <ToolMenu
      editor={editor}
      name="Font"
      value={value}
      choices={choices}
      disabled={!facts.canMark}
      width="5.75rem"
    >
      <span>{value}</span>
      {down}
    </ToolMenu>
  );
}

const sizes: Record<string, string> = { small: "0.8em", large: "1.3em", huge: "1.75em" };

export function SizeMenu({ editor, facts }: Own) {
  const names = { small: "Small", "": "Normal", large: "Large", huge: "Huge" };
  const value = names[(facts.size ?? "") as keyof typeof names];
  const choices = Object.entries(names).map(([size, name]) => ({
    name,
    command: setMark(marks.size, size ? { size } : null),
    chosen: (facts.size ?? "") === size,
    look: { fontSize: sizes[size] },
  }));
  return (
    <ToolMenu
      editor={editor}
      name="Size"
      value={value}
      choices={choices}
      disabled={!facts.canMark}
      width="4.75rem"
    >
      <span>{value}</span>
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
