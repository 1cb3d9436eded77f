import type { Node } from "prosemirror-model";
import type { EditorView, NodeView, ViewMutationRecord } from "prosemirror-view";
import { schema } from "../../../shared/document/schema.ts";
import { element } from "../element.ts";

/** A list item with a checkbox. */
export class TaskView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM = element("div", { class: "task-text" });
  readonly #box = element("input", {
    type: "checkbox",
    "aria-label": "Done",
    tabindex: "-1",
    contenteditable: "false",
  });

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.dom = element("li", {}, this.#box, this.contentDOM);
    this.#box.addEventListener("mousedown", (event) => event.preventDefault());
    this.#box.addEventListener("click", (event) => {
      event.preventDefault();
      const pos = getPos();
      const now = pos !== undefined && view.state.doc.nodeAt(pos);
      if (now && view.editable)
        view.dispatch(view.state.tr.setNodeMarkup(pos, null, { checked: !now.attrs.checked }));
    });
    this.#draw(node);
  }

  update(node: Node): boolean {
    if (node.type !== schema.nodes.task_item) return false;
    this.#draw(node);
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#box;
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target);
  }

  #draw(node: Node): void {
    const checked = Boolean(node.attrs.checked);
    this.dom.dataset.checked = String(checked);
    // After the click the browser restores the earlier state.
    setTimeout(() => {
      this.#box.checked = checked;
    });
    this.#box.checked = checked;
  }
}
