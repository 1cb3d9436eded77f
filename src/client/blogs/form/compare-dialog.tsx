import { useId, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { documentToText, imagesOf } from "../../../shared/document/to-text.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { normalDocument } from "../../editor/sync/code.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { submitLabel } from "./values.ts";
import { trimmed } from "../../../shared/document/trimmed.ts";
import type { BlogFields } from "./values.ts";
import type { StandingBlog } from "./work.ts";
import { differingFields, differingText, differingWords, fieldsThere, putTogether } from "./compare-rules.ts";
import type { Choice, Different, Marked, Side, WholeField } from "./compare-rules.ts";
import { Nothing, names, sameText, shownField, words } from "./compare-parts.tsx";
import type { UnderWay } from "../../uploads/sending.ts";

interface Props {
  /** What stands on the server now. */
  theirs: StandingBlog;
  mine: BlogFields;
  /** What both began with, where it is known. */
  base: BlogFields | null;
  /** A cover that was chosen here and is not stored. */
  coverUnderWay: UnderWay | null;
  onClose: () => void;
  /** `ownCover`: one's own cover was chosen, also one that is on its way. */
  onChoose: (fields: BlogFields, ownCover: boolean, save: boolean) => void;
}

/** Two versions of a blog side by side: what differs, and for each of it the one that stays. Nothing is saved before it is said. */
export default function CompareDialog({ theirs, mine, base, coverUnderWay, onClose, onChoose }: Props) {
  const [start] = useState(() => ({ mine, base }));
  const there = useMemo(() => fieldsThere(theirs, trimmed(normalDocument(theirs.document))), [theirs]);
  const own = useMemo(() => ({ ...start.mine, document: trimmed(start.mine.document) }), [start]);
  const isOwnCover = coverUnderWay !== null;
  const fields = useMemo(
    () => differingFields(there, own, start.base, isOwnCover),
    [there, own, start, isOwnCover],
  );
  const pieces = useMemo(
    () => differingText(there.document, own.document, start.base && trimmed(start.base.document)),
    [there, own, start],
  );
  const different = pieces.filter((piece): piece is Different => !("same" in piece));
  const [chosen, setChosen] = useState<Partial<Record<WholeField, Side>>>({});
  const [choices, setChoices] = useState<Choice[]>(() => different.map(({ proposal }) => proposal));
  const sideOf = (name: WholeField): Side =>
    chosen[name] ?? fields.find((field) => field.name === name)?.proposal ?? "theirs";
  const all = (side: Side) => {
    setChosen(Object.fromEntries(fields.map(({ name }) => [name, side])));
    setChoices(different.map(() => side));
  };

  const result = (): BlogFields => {
    const of = (name: WholeField) => (sideOf(name) === "mine" ? own : there);
    const isMoved = fields.some(({ name }) => name === "address") && sideOf("address") === "mine";
    return {
      title: of("title").title,
      description: of("description").description,
      tags: of("tags").tags,
      cover: of("cover").cover,
      draft: of("visibility").draft,
      private: of("visibility").private,
      later: of("visibility").later,
      address: isMoved ? own.address : "",
      canonicalUrl: of("canonicalUrl").canonicalUrl,
      searchTitle: of("searchTitle").searchTitle,
      searchDescription: of("searchDescription").searchDescription,
      language: of("language").language,
      document: putTogether(pieces, choices),
    };
  };
  const isOne = (side: Side): boolean =>
    fields.every(({ name }) => sideOf(name) === side) && choices.every((choice) => choice === side);
  const isTheirs = isOne("theirs");
  const choose = (save: boolean) =>
    onChoose(result(), fields.some(({ name }) => name === "cover") && sideOf("cover") === "mine", save);

  let at = -1;
  let number = 0;
  return (
    <Dialog
      wide
      title="This blog was changed elsewhere"
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            Back to writing
          </Button>
          <Button onClick={() => choose(false)}>
            {isTheirs ? "Use the version on the site" : "Keep my choices and continue"}
          </Button>
          {!isTheirs && (
            <Button kind="primary" onClick={() => choose(true)}>
              {submitLabel(result(), true)}
            </Button>
          )}
        </>
      }
    >
      <div className="compare">
        <p>
          It was saved elsewhere <RelativeTime at={theirs.updatedAt} />, while you were writing here. Choose a
          version for each difference. Nothing is saved until you save.
        </p>
        <div className="compare-all">
          <Button size="s" aria-pressed={isTheirs} onClick={() => all("theirs")}>
            Take all from the site
          </Button>
          <Button size="s" aria-pressed={isOne("mine")} onClick={() => all("mine")}>
            Keep all of mine
          </Button>
        </div>
        {fields.length === 0 && different.length === 0 && <p>Both versions are identical.</p>}
        {fields.map(({ name }) => (
          <Difference
            key={name}
            title={names[name]}
            chosen={sideOf(name)}
            onChoose={(choice) => setChosen((now) => ({ ...now, [name]: choice as Side }))}
            {...shownField(name, there, own, coverUnderWay)}
          />
        ))}
        {different.length > 0 && <h3 className="compare-heading">Text</h3>}
        {pieces.map((piece, index) => {
          if ("same" in piece) {
            number += piece.same.length;
            return (
              different.length > 0 && (
                <p key={index} className="compare-same">
                  {sameText(piece.same.length)}
                </p>
              )
            );
          }
          const turn = ++at;
          number += Math.max(piece.theirs.length, piece.mine.length);
          return (
            <Difference
              key={index}
              title={`${kindOf(piece)} ${number}`}
              chosen={choices[turn] ?? piece.proposal}
              canBeBoth={piece.theirs.length > 0 && piece.mine.length > 0}
              isClash={piece.isClash && start.base !== null}
              onChoose={(choice) => setChoices((now) => now.with(turn, choice))}
              {...shownText(piece)}
            />
          );
        })}
      </div>
    </Dialog>
  );
}

function Difference({
  title,
  chosen,
  theirs,
  mine,
  canBeBoth = false,
  isClash = false,
  onChoose,
}: {
  title: string;
  chosen: Choice;
  theirs: ReactNode;
  mine: ReactNode;
  canBeBoth?: boolean;
  /** Both sides changed it. */
  isClash?: boolean;
  onChoose: (choice: Choice) => void;
}) {
  const id = useId();
  const option = (choice: Choice, name: string, shown?: ReactNode) => (
    <label className="compare-side" data-chosen={chosen === choice || undefined} data-side={choice}>
      <span className="compare-name">
        <input type="radio" name={id} checked={chosen === choice} onChange={() => onChoose(choice)} />
        {name}
      </span>
      {shown !== undefined && <span className="compare-text">{shown}</span>}
    </label>
  );
  return (
    <fieldset className="compare-item">
      <legend>
        {title}
        {isClash && <span className="compare-clash"> · changed on both sides</span>}
      </legend>
      <div className="compare-sides">
        {option("theirs", "On the site", theirs)}
        {option("mine", "Yours", mine)}
        {canBeBoth && option("both", "Both, one after the other")}
      </div>
    </fieldset>
  );
}

const asDocument = (content: NodeJson[]): NodeJson => ({ type: "doc", content });

function shownText({ theirs, mine }: Different): Record<Side, ReactNode> {
  const [his, own] = [documentToText(asDocument(theirs)), documentToText(asDocument(mine))];
  const marked = differingWords(his, own);
  const shown = (blocks: NodeJson[], text: Marked[], look: string) => {
    if (blocks.length === 0) return <Nothing />;
    const pictures = imagesOf(asDocument(blocks));
    return (
      <>
        {text.some((part) => part.text !== "") && words(text)}
        {pictures.map((src) => (
          <img key={src} src={src} alt="" loading="lazy" />
        ))}
        {look && <span className="compare-look">{look}</span>}
      </>
    );
  };
  // The same words, and yet not the same: then it is how they look.
  const isLook = his === own && theirs.length > 0 && mine.length > 0;
  return {
    theirs: shown(theirs, marked.theirs, isLook ? lookOf(theirs) : ""),
    mine: shown(mine, marked.mine, isLook ? lookOf(mine) : ""),
  };
}

const kinds: Record<string, string> = {
  heading: "Heading",
  code_block: "Code",
  formula_block: "Formula",
  bullet_list: "List",
  ordered_list: "List",
  blockquote: "Quote",
  table: "Table",
  figure: "Picture",
  figure_pair: "Pictures",
  embed: "Card",
  horizontal_rule: "Rule",
};
const kindOf = ({ theirs, mine }: Different): string =>
  kinds[(mine[0] ?? theirs[0])?.type ?? ""] ?? "Paragraph";

/** What is said of blocks whose words do not differ: their kinds, and how parts of them are formatted. */
function lookOf(blocks: NodeJson[]): string {
  const marks = new Set<string>();
  const look = (node: NodeJson): void => {
    for (const { type } of node.marks ?? []) marks.add(type.replaceAll("_", " "));
    for (const child of node.content ?? []) look(child);
  };
  for (const block of blocks) look(block);
  const kind = kinds[blocks[0]?.type ?? ""] ?? "Paragraph";
  return marks.size > 0 ? `${kind}, with ${[...marks].join(", ")}` : `${kind}, formatted otherwise`;
}
