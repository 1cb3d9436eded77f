import { pieceLength } from "../search/search-index.ts";
import { spaceless } from "../search/words.ts";

/* Texts as PostgreSQL's search index has them: vectors of lexemes with positions and weights. */

export type Weight = "A" | "B" | "C" | "D";

/** What PostgreSQL refuses, in bytes or numbers. */
const limits = { lexemeBytes: 2_046, positions: 255, lastPosition: 16_383, vectorBytes: 900_000 };
/** Between fields, so that no phrase reaches from one into the next. */
const gap = 5;

/** A lexeme as vectors and queries write it: quoted, so that it contains no operator. */
export const quotedLexeme = (lexeme: string): string =>
  `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** Whether PostgreSQL can have a lexeme; a longer word is not found. */
export const isLexeme = (text: string): boolean =>
  text.length * 3 <= limits.lexemeBytes || Buffer.byteLength(text) <= limits.lexemeBytes;

const word = /[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]+/gu;

/**
 * Returns the words of a folded text: those of SQLite's index. Where a script without spaces begins or ends, so does a word: `AI模型`
 * has the word `ai`.
 */
export const wordsIn = (folded: string): string[] =>
  (folded.match(word) ?? []).flatMap((run) => run.split(spaceless).filter(Boolean));

/** Builds a vector. Lexemes beyond what PostgreSQL can have are left out. */
class Vector {
  readonly #lexemes = new Map<string, string[]>();
  #bytes = 0;
  #position = 0;

  /** Adds the next lexeme of a field. */
  add(lexeme: string, weight: Weight): void {
    // Beyond the last position they begin again: a phrase is found there, too, and seldom one that is none.
    const position = `${(this.#position++ % limits.lastPosition) + 1}${weight === "D" ? "" : weight}`;
    const positions = this.#lexemes.get(lexeme);
    if (positions) {
      if (positions.length >= limits.positions) return;
      positions.push(position);
      this.#bytes += 2;
      return;
    }
    // Its positions are aligned, and have a count.
    const bytes = Buffer.byteLength(lexeme) + 6;
    if (bytes > limits.lexemeBytes || this.#bytes + bytes > limits.vectorBytes) return;
    this.#bytes += bytes;
    this.#lexemes.set(lexeme, [position]);
  }

  endField(): void {
    this.#position += gap;
  }

  toString(): string {
    return Array.from(
      this.#lexemes,
      ([lexeme, positions]) => `${quotedLexeme(lexeme)}:${positions.join(",")}`,
    ).join(" ");
  }
}

/** Builds the vector of words. */
export class WordVector {
  readonly #vector = new Vector();

  /** Adds a part of a field that ends with a word. */
  add(folded: string, weight: Weight): void {
    for (const lexeme of wordsIn(folded)) this.#vector.add(lexeme, weight);
  }

  endField(): void {
    this.#vector.endField();
  }

  toString(): string {
    return String(this.#vector);
  }
}

/** Builds the vector of pieces: at each character of a field, it and the next two. */
export class PieceVector {
  readonly #vector = new Vector();
  #rest = "";

  add(folded: string, weight: Weight): void {
    const characters = Array.from(this.#rest + folded);
    for (let at = 0; at + pieceLength <= characters.length; at++)
      this.#vector.add(characters[at]! + characters[at + 1]! + characters[at + 2]!, weight);
    this.#rest = characters.slice(1 - pieceLength).join("");
  }

  /** A field ends in two spaces, so that its last characters begin a piece, too. */
  endField(weight: Weight): void {
    this.add("  ", weight);
    this.#rest = "";
    this.#vector.endField();
  }

  toString(): string {
    return String(this.#vector);
  }
}
