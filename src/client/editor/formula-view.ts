import { NodeSelection, TextSelection } from "prosemirror-state";
import type { Node } from "prosemirror-model";
import type { EditorView, NodeView, ViewMutationRecord } from "prosemirror-view";
import type { DrawnFormula } from "../../shared/document/draw-formula.ts";
import { documentLimits } from "../../shared/document/limits.ts";
import { schema } from "../../shared/document/schema.ts";
import { cleanTex } from "../../shared/document/tex.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { element } from "./element.ts";
import "./formula-view.css";

const loadDrawing = codeLoader(() => import("../../shared/document/draw-formula.ts"));

/** Milliseconds without a key after which a formula is drawn: a key costs what it costs in any text. */
const pause = 120;

/** What a formula looks like, drawn when its source rests. The code for it comes with the first formula. */
class Drawing {
  readonly dom: HTMLElement;
  readonly #isBlock: boolean;
  #tex: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;
  readonly #widths = new ResizeObserver(() => this.#reach());

  constructor(isBlock: boolean) {
    this.#isBlock = isBlock;
    this.dom = element(isBlock ? "div" : "span", { class: "editor-formula-drawn", contenteditable: "false" });
    if (isBlock) this.#widths.observe(this.dom);
  }

  show(tex: string): void {
    if (tex === this.#tex) return;
    const isFirst = this.#tex === null;
    this.#tex = tex;
    clearTimeout(this.#timer);
    // Until it is drawn, and without a network, it is its source.
    if (isFirst && !this.#isBlock) this.dom.textContent = tex;
    if (isFirst) void this.#draw();
    else this.#timer = setTimeout(() => void this.#draw(), pause);
  }

  destroy(): void {
    this.#isGone = true;
    this.#widths.disconnect();
    clearTimeout(this.#timer);
  }

  /** One that is wider than the text can be moved sideways by keys, too. */
  #reach(): void {
    if (this.dom.scrollWidth > this.dom.clientWidth) this.dom.tabIndex = 0;
    else this.dom.removeAttribute("tabindex");
  }

  async #draw(): Promise<void> {
    const code = await loadDrawing().catch(() => null);
    if (this.#isGone) return;
    if (!code) return addEventListener("online", () => void this.#draw(), { once: true });
    const tex = this.#tex ?? "";
    this.#put(code.drawFormula(tex, this.#isBlock), tex);
  }

  #put(drawn: DrawnFormula, tex: string): void {
    const isWrong = "wrong" in drawn;
    this.dom.classList.toggle("editor-formula-wrong", isWrong);
    if (!isWrong) {
      // `drawFormula` gives nothing but the elements of a drawing.
      this.dom.innerHTML = drawn.mathml;
      this.dom.removeAttribute("title");
    } else if (this.#isBlock) this.dom.textContent = drawn.wrong;
    else {
      this.dom.textContent = tex;
      this.dom.title = drawn.wrong;
    }
    if (this.#isBlock) this.#reach();
  }
}

/** A formula of its own: its source is text like any other, and below it stands what it looks like. */
export class FormulaBlockView implements NodeView {
  readonly dom = element("div", { class: "editor-formula-block" });
  readonly contentDOM = element("code", {
    class: "editor-formula-source",
    spellcheck: "false",
    autocapitalize: "off",
    "aria-label": "Formula, as TeX",
  });
  readonly #drawing = new Drawing(true);

  constructor(node: Node) {
    this.#drawing.dom.setAttribute("aria-live", "polite");
    // A click leaves the focus in the text.
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

/** A formula in a line of text: drawn, and with its source in a field below it as soon as it is clicked or an arrow comes to it. */
export class FormulaView implements NodeView {
  readonly dom = element("span", { class: "editor-formula" });
  readonly #drawing = new Drawing(false);
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
    // Somebody else's: what one types oneself stands there already.
    if (this.#isOpen && cleanTex(this.#field.value) !== tex) this.#field.value = tex;
    return true;
  }

  selectNode(): void {
    this.dom.classList.add("ProseMirror-selectednode");
    // By an arrow: the editor has the focus, and is about to go on with it.
    if (this.#view.hasFocus()) queueMicrotask(() => this.#open());
  }

  deselectNode(): void {
    this.dom.classList.remove("ProseMirror-selectednode");
    this.#close();
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#field;
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#drawing.destroy();
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
    this.#keepWithin();
    this.#field.focus();
    this.#field.select();
  }

  /** Beside the edge of the text the field would be cut off. */
  #keepWithin(): void {
    this.#field.style.insetInlineStart = "0";
    const beyond = this.#field.getBoundingClientRect().right - this.#view.dom.getBoundingClientRect().right;
    if (beyond > 0) this.#field.style.insetInlineStart = `${-beyond}px`;
  }

  #close(): void {
    if (!this.#isOpen) return;
    // At once: what is taken away loses the focus, and would close it again.
    this.#isOpen = false;
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

  #drop(): void {
    const pos = this.#getPos();
    if (pos !== undefined && this.#view.state.doc.nodeAt(pos) === this.#node)
      this.#view.dispatch(this.#view.state.tr.delete(pos, pos + 1));
  }

  /** Enter, Escape and the arrows at the ends go back to the text; Backspace in an empty field takes the formula away. */
  #key(event: KeyboardEvent): void {
    const { selectionStart: at, selectionEnd: to, value } = this.#field;
    if (event.isComposing) return;
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
