import { redo, undo } from "prosemirror-history";
import { keydownHandler } from "prosemirror-keymap";
import { NodeSelection, TextSelection } from "prosemirror-state";
import type { Node } from "prosemirror-model";
import type { EditorView, NodeView, ViewMutationRecord } from "prosemirror-view";
import type { RenderedFormula } from "../../../shared/document/render-formula.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import { schema } from "../../../shared/document/schema.ts";
import { cleanTex } from "../../../shared/document/tex.ts";
import { isComposing } from "../../ui/composing.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { element } from "../element.ts";

const loadDrawing = codeLoader(() => import("../../../shared/document/render-formula.ts"));

/** Milliseconds without a key before a formula is rendered: typing stays cheap. */
const pause = 120;

/** A rendered formula. The code is loaded with the first one. */
class FormulaPreview {
  readonly dom: HTMLElement;
  readonly #isBlock: boolean;
  #tex: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;
  readonly #widths = new ResizeObserver(() => this.#updateTabIndex());

  constructor(isBlock: boolean) {
    this.#isBlock = isBlock;
    this.dom = element(isBlock ? "div" : "span", {
      class: "editor-formula-rendered",
      contenteditable: "false",
    });
    this.#widths.observe(this.dom);
  }

  show(tex: string): void {
    if (tex === this.#tex) return;
    const isFirst = this.#tex === null;
    this.#tex = tex;
    clearTimeout(this.#timer);
    // Shows the source until it is rendered, and offline.
    if (isFirst && !this.#isBlock) this.dom.textContent = tex;
    if (isFirst) void this.#draw();
    else this.#timer = setTimeout(() => void this.#draw(), pause);
  }

  destroy(): void {
    this.#isGone = true;
    this.#widths.disconnect();
    clearTimeout(this.#timer);
  }

  /** Makes a wide formula scrollable by keyboard. */
  #updateTabIndex(): void {
    if (this.dom.scrollWidth > this.dom.clientWidth) this.dom.tabIndex = 0;
    else this.dom.removeAttribute("tabindex");
  }

  async #draw(): Promise<void> {
    const code = await loadDrawing().catch(() => null);
    if (this.#isGone) return;
    if (!code) return addEventListener("online", () => void this.#draw(), { once: true });
    const tex = this.#tex ?? "";
    this.#setContent(code.renderFormula(tex, this.#isBlock), tex);
  }

  #setContent(rendered: RenderedFormula, tex: string): void {
    const isWrong = "wrong" in rendered;
    this.dom.classList.toggle("editor-formula-wrong", isWrong);
    if (!isWrong) {
      // `renderFormula` returns only MathML without links or scripts.
      this.dom.innerHTML = `<span>${rendered.mathml}</span>`;
      this.dom.removeAttribute("title");
    } else if (this.#isBlock) this.dom.textContent = rendered.wrong;
    else {
      this.dom.textContent = tex;
      this.dom.title = rendered.wrong;
    }
    this.#updateTabIndex();
  }
}

/** A formula block: its source, and the result below. */
export class FormulaBlockView implements NodeView {
  readonly dom = element("div", { class: "editor-formula-block" });
  readonly contentDOM = element("code", {
    class: "editor-formula-source",
    spellcheck: "false",
    autocapitalize: "off",
    "aria-label": "Formula, as TeX",
  });
  readonly #drawing = new FormulaPreview(true);

  constructor(node: Node) {
    this.#drawing.dom.setAttribute("aria-live", "polite");
    // The text keeps the focus.
    this.#drawing.dom.addEventListener("mousedown", (event) => event.preventDefault());
    this.dom.append(this.contentDOM, this.#drawing.dom);
    this.#drawing.show(node.textContent);
  }

  update(node: Node): boolean {
    if (node.type !== schema.nodes.formula_block) return false;
    this.#drawing.show(node.textContent);
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#drawing.dom && event.type.startsWith("key");
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target);
  }

  destroy(): void {
    this.#drawing.destroy();
  }
}

/** An inline formula. A click or an arrow key opens a field with its source. */
export class FormulaView implements NodeView {
  readonly dom = element("span", { class: "editor-formula" });
  readonly #drawing = new FormulaPreview(false);
  readonly #field = element("input", {
    class: "editor-formula-field",
    "aria-label": "Formula, as TeX",
    maxlength: String(documentLimits.formula),
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    enterkeyhint: "done",
  });
  readonly #view: EditorView;
  readonly #getPos: () => number | undefined;
  /** In the field too: the browser's own undo there would continue in the text. */
  readonly #historyKeys = keydownHandler({
    "Mod-z": (state, dispatch) => this.#restore() || undo(state, dispatch) || true,
    "Mod-y": (state, dispatch) => redo(state, dispatch) || true,
    "Mod-Shift-z": (state, dispatch) => redo(state, dispatch) || true,
  });
  #node: Node;
  #isOpen = false;

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node;
    this.#view = view;
    this.#getPos = getPos;
    this.dom.append(this.#drawing.dom);
    this.dom.addEventListener("click", () => this.#open());
    this.#field.addEventListener("input", () => this.#write());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.#field.addEventListener("blur", () => this.#close());
    this.#drawing.show(String(node.attrs.tex));
  }

  update(node: Node): boolean {
    if (node.type !== schema.nodes.formula) return false;
    this.#node = node;
    const tex = String(node.attrs.tex);
    this.#drawing.show(tex);
    // From another writer; the field already has one's own input.
    if (this.#isOpen && cleanTex(this.#field.value) !== tex) this.#field.value = tex;
    return true;
  }

  selectNode(): void {
    this.dom.classList.add("ProseMirror-selectednode");
    // By an arrow key or an undo: after the editor has handled it.
    queueMicrotask(() => {
      if (this.#view.hasFocus()) this.#open();
    });
  }

  deselectNode(): void {
    this.dom.classList.remove("ProseMirror-selectednode");
    this.#close();
  }

  stopEvent(event: Event): boolean {
    const isKeyOfPreview = event.target === this.#drawing.dom && event.type.startsWith("key");
    return isKeyOfPreview || event.target === this.#field;
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#drawing.destroy();
    if (this.#isOpen) this.#keepFocus();
  }

  /** Focuses the text if the field is removed with the focus, as by an undo or another writer. */
  #keepFocus(): void {
    queueMicrotask(() => {
      if (!this.#view.isDestroyed && document.activeElement === document.body) this.#view.focus();
    });
  }

  #open(): void {
    const pos = this.#getPos();
    if (this.#isOpen || pos === undefined || !this.#view.editable || this.#view.isDestroyed) return;
    const { selection, doc, tr } = this.#view.state;
    if (!(selection instanceof NodeSelection) || selection.from !== pos)
      this.#view.dispatch(tr.setSelection(NodeSelection.create(doc, pos)));
    this.#isOpen = true;
    this.#field.value = String(this.#node.attrs.tex);
    this.dom.append(this.#field);
    this.#fitIntoText();
    this.#field.focus();
    this.#field.select();
  }

  /** At the edge of the text the field would be cut off. */
  #fitIntoText(): void {
    this.#field.style.insetInlineStart = "0";
    const beyond = this.#field.getBoundingClientRect().right - this.#view.dom.getBoundingClientRect().right;
    if (beyond > 0) this.#field.style.insetInlineStart = `${-beyond}px`;
  }

  #close(): void {
    if (!this.#isOpen) return;
    // First: removing the field blurs it, which closes it again.
    this.#isOpen = false;
    if (document.activeElement === this.#field) this.#keepFocus();
    const isEmpty = cleanTex(this.#field.value) === null;
    this.#field.remove();
    if (isEmpty) this.#drop();
  }

  #write(): void {
    const [pos, tex] = [this.#getPos(), cleanTex(this.#field.value)];
    if (pos === undefined || tex === null || tex === this.#node.attrs.tex) return;
    const { tr } = this.#view.state;
    tr.setNodeAttribute(pos, "tex", tex);
    this.#view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, pos)));
  }

  /** Undoes the deletion of all TeX, which is not written. */
  #restore(): boolean {
    if (cleanTex(this.#field.value) !== null) return false;
    this.#field.value = String(this.#node.attrs.tex);
    return true;
  }

  #drop(): void {
    const pos = this.#getPos();
    if (pos !== undefined && this.#view.state.doc.nodeAt(pos) === this.#node)
      this.#view.dispatch(this.#view.state.tr.delete(pos, pos + 1));
  }

  /** Enter, Escape and arrows at the ends return to the text; Backspace in an empty field deletes the formula. */
  #key(event: KeyboardEvent): void {
    const { selectionStart: at, selectionEnd: to, value } = this.#field;
    if (isComposing(event)) return;
    if (this.#historyKeys(this.#view, event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const isBefore = event.key === "ArrowLeft" && at === 0 && to === 0;
    const isBehind = event.key === "ArrowRight" && at === value.length;
    const isDone = ["Enter", "Escape", "Tab", "ArrowUp", "ArrowDown"].includes(event.key);
    const isGone = value === "" && (event.key === "Backspace" || event.key === "Delete");
    if (!isBefore && !isBehind && !isDone && !isGone) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#leave(isBefore ? 0 : 1);
  }

  #leave(side: 0 | 1): void {
    const pos = this.#getPos();
    if (pos === undefined) return;
    const { tr, doc } = this.#view.state;
    if (cleanTex(this.#field.value) === null) this.#view.dispatch(tr.delete(pos, pos + 1));
    else this.#view.dispatch(tr.setSelection(TextSelection.create(doc, pos + side)));
    this.#view.focus();
  }
}
