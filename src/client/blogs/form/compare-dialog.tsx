import { useId, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { documentToText, imagesOf } from "../../../shared/document/to-text.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { normalDocument } from "../../editor/sync/code.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { submitLabel } from "./blog-fields.ts";
import { trimDocument } from "../../../shared/document/trim-document.ts";
import type { BlogFields } from "./blog-fields.ts";
import type { BlogOnServer } from "./working-copy.ts";
import { diffFields, diffText, diffWords, fieldsOnServer, mergeChoices, mergeFields } from "./compare.ts";
import type { Choice, DifferentPiece, MarkedText, Side, WholeField } from "./compare.ts";
import { Nothing, fieldLabels, sameText, renderField, renderWords } from "./compare-parts.tsx";
import type { UploadState } from "../../uploads/picture-upload.ts";

interface Props {
  /** The version on the server. */
  theirs: BlogOnServer;
  mine: BlogFields;
  /** A chosen cover that is not uploaded yet. */
  coverUnderWay: UploadState | null;
  onClose: () => void;
  /** `ownCover`: the viewer's cover was chosen, even one being uploaded. */
  onChoose: (fields: BlogFields, ownCover: boolean, save: boolean) => void;
}

/** Lets the author choose between two versions of a blog, difference by difference. Saves nothing without confirmation. */
export default function CompareDialog({ theirs, mine, coverUnderWay, onClose, onChoose }: Props) {
  const [start] = useState(mine);
  const theirFields = useMemo(
    () => fieldsOnServer(theirs, trimDocument(normalDocument(theirs.document))),
    [theirs],
  );
  // An upload can end while the dialog is open.
  const { cover } = mine;
  const myFields = useMemo(
    () => ({ ...start, cover, document: trimDocument(start.document) }),
    [start, cover],
  );
  const isOwnCover = coverUnderWay !== null;
  const fields = useMemo(
    () => diffFields(theirFields, myFields, isOwnCover),
    [theirFields, myFields, isOwnCover],
  );
  const pieces = useMemo(() => diffText(theirFields.document, myFields.document), [theirFields, myFields]);
  const different = pieces.filter((piece): piece is DifferentPiece => !("same" in piece));
  const [chosen, setChosen] = useState<Partial<Record<WholeField, Side>>>({});
  const [choices, setChoices] = useState<Choice[]>(() => different.map(() => "mine"));
  const sideOf = (name: WholeField): Side =>
    chosen[name] ?? fields.find((field) => field.name === name)?.proposal ?? "theirs";
  const all = (side: Side) => {
    setChosen(Object.fromEntries(fields.map(({ name }) => [name, side])));
    setChoices(different.map(() => side));
  };

  const result = (): BlogFields => mergeFields(theirFields, myFields, sideOf, mergeChoices(pieces, choices));
  const isAllFrom = (side: Side): boolean =>
    fields.every(({ name }) => sideOf(name) === side) && choices.every((choice) => choice === side);
  const isTheirs = isAllFrom("theirs");
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
          <Button size="s" aria-pressed={isAllFrom("mine")} onClick={() => all("mine")}>
            Keep all of mine
          </Button>
        </div>
        {fields.length === 0 && different.length === 0 && <p>Both versions are identical.</p>}
        {fields.map(({ name }) => (
          <Difference
            key={name}
            title={fieldLabels[name]}
            chosen={sideOf(name)}
            onChoose={(choice) => setChosen((now) => ({ ...now, [name]: choice as Side }))}
            {...renderField(name, theirFields, myFields, coverUnderWay)}
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
          const pieceIndex = ++at;
          number += Math.max(piece.theirs.length, piece.mine.length);
          return (
            <Difference
              key={index}
              title={`${kindOf(piece)} ${number}`}
              chosen={choices[pieceIndex] ?? "mine"}
              canBeBoth={piece.theirs.length > 0 && piece.mine.length > 0}
              onChoose={(choice) => setChoices((now) => now.with(pieceIndex, choice))}
              {...renderText(piece)}
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
  onChoose,
}: {
  title: string;
  chosen: Choice;
  theirs: ReactNode;
  mine: ReactNode;
  canBeBoth?: boolean;
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
      <legend>{title}</legend>
      <div className="compare-sides">
        {option("theirs", "On the site", theirs)}
        {option("mine", "Yours", mine)}
        {canBeBoth && option("both", "Both, one after the other")}
      </div>
    </fieldset>
  );
}

const asDocument = (content: NodeJson[]): NodeJson => ({ type: "doc", content });

function renderText({ theirs, mine }: DifferentPiece): Record<Side, ReactNode> {
  const [theirText, myText] = [documentToText(asDocument(theirs)), documentToText(asDocument(mine))];
  const marked = diffWords(theirText, myText);
  const shown = (blocks: NodeJson[], text: MarkedText[], formatting: string) => {
    if (blocks.length === 0) return <Nothing />;
    const pictures = imagesOf(asDocument(blocks));
    return (
      <>
        {text.some((part) => part.text !== "") && renderWords(text)}
        {pictures.map((src) => (
          <img key={src} src={src} alt="" loading="lazy" />
        ))}
        {formatting && <span className="compare-look">{formatting}</span>}
      </>
    );
  };
  // The words are equal, so the formatting differs.
  const isFormattingOnly = theirText === myText && theirs.length > 0 && mine.length > 0;
  return {
    theirs: shown(theirs, marked.theirs, isFormattingOnly ? formattingOf(theirs) : ""),
    mine: shown(mine, marked.mine, isFormattingOnly ? formattingOf(mine) : ""),
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
const kindOf = ({ theirs, mine }: DifferentPiece): string =>
  kinds[(mine[0] ?? theirs[0])?.type ?? ""] ?? "Paragraph";

/** Describes blocks with equal words by kind and formatting. */
function formattingOf(blocks: NodeJson[]): string {
  const marks = new Set<string>();
  const visit = (node: NodeJson): void => {
    for (const { type } of node.marks ?? []) marks.add(type.replaceAll("_", " "));
    for (const child of node.content ?? []) visit(child);
  };
  for (const block of blocks) visit(block);
  const kind = kinds[blocks[0]?.type ?? ""] ?? "Paragraph";
  return marks.size > 0 ? `${kind}, with ${[...marks].join(", ")}` : `${kind}, formatted otherwise`;
}
