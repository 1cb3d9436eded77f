import { Component } from "react";
import type { ReactNode, RefObject } from "react";

interface Props {
  body: RefObject<HTMLElement | null>;
  html: string;
  children: ReactNode;
}

interface Held {
  /** From the one that the eyes are on, what its text is and where it stood. */
  blocks: readonly { text: string; top: number }[];
  end: number;
}

/** Keeps what is being read where it is when the author changes the text: the same paragraph, or what stands below it all. */
export class HoldText extends Component<Props> {
  override getSnapshotBeforeUpdate(before: Readonly<Props>): Held | null {
    const { body, html } = this.props;
    return before.html !== html && body.current ? heldIn(body.current) : null;
  }

  override componentDidUpdate(_before: unknown, _state: unknown, held: Held | null): void {
    const body = this.props.body.current;
    if (!held || !body) return;
    const there = new Map([...body.children].map((block) => [block.textContent, block]));
    const same = held.blocks.find(({ text }) => there.has(text));
    const moved = same
      ? there.get(same.text)!.getBoundingClientRect().top - same.top
      : body.getBoundingClientRect().bottom - held.end;
    if (same || held.blocks.length === 0) window.scrollBy({ top: moved, behavior: "instant" });
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

/** Null where the text begins in the window: nothing above it moves it. People read in the upper half of the window. */
function heldIn(body: HTMLElement): Held | null {
  const { top, bottom } = body.getBoundingClientRect();
  if (top >= 0) return null;
  const blocks = [...body.children].map((block) => {
    const { top: at, bottom: end } = block.getBoundingClientRect();
    return { text: block.textContent, top: at, end };
  });
  const times = new Map<string, number>();
  for (const { text } of blocks) times.set(text, (times.get(text) ?? 0) + 1);
  return {
    blocks: blocks.filter(({ text, end }) => end > window.innerHeight / 3 && times.get(text) === 1),
    end: bottom,
  };
}
