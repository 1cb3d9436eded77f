import { codeLanguage } from "../../shared/document/values.ts";
import { typedLanguage } from "./blocks/code.ts";

/** Returns the language of text copied from VS Code or a derivative. */
function modeOf(data: DataTransfer): string | null {
  try {
    const { mode } = JSON.parse(data.getData("vscode-editor-data")) as { mode?: unknown };
    return typeof mode === "string" ? mode : null;
  } catch {
    return null;
  }
}

const prose = ["markdown", "plaintext"];
const otherNames: Record<string, string> = {
  javascriptreact: "javascript",
  typescriptreact: "typescript",
  shellscript: "bash",
  dockercompose: "yaml",
};

/** Returns the text of a paste without formatting, else null. */
export function unformattedText(data: DataTransfer | null): string | null {
  if (!data) return null;
  const isBare = data.getData("text/html") === "" || prose.includes(modeOf(data) ?? "");
  return (isBare && data.getData("text/plain")) || null;
}

/** Returns pasted code with the language that VS Code names; otherwise `html`. */
export function withCodeLanguage(html: string, data: DataTransfer | null): string {
  const mode = data && modeOf(data);
  const language = mode && codeLanguage(otherNames[mode] ?? typedLanguage(mode));
  const text = data?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
  if (!language || !text.includes("\n")) return html;
  const page = new DOMParser().parseFromString("<pre></pre>", "text/html");
  const pre = page.querySelector("pre")!;
  pre.setAttribute("data-language", language);
  pre.textContent = text;
  return pre.outerHTML;
}

/** A line that is no prose: a list's item, a quotation, a heading, a row of a table, indented code. */
const noProse = /^(?:\s|[-*+>#|•–—]|\d{1,4}[.)]\s|```|~~~)/;
/** The width of lines that a program broke, in characters. */
const wrapped = { atLeast: 60, atMost: 100 };

/**
 * Joins lines that an email program or a text editor broke: those of a paragraph, where the next line's first word had no room.
 * Poems and addresses stay as they are.
 */
export function joinWrappedLines(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const width = lines.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  if (width < wrapped.atLeast || width > wrapped.atMost) return text;
  const isBroken = (line: string, next: string) =>
    line.trimEnd().length + 1 + next.split(" ", 1)[0]!.length > width;
  const joined: string[] = [];
  let count = 0;
  for (let from = 0; from < lines.length;) {
    let to = from;
    while (to < lines.length && lines[to]!.trim() !== "") to++;
    const paragraph = lines.slice(from, to);
    const isWrapped =
      paragraph.length > 1 &&
      !paragraph.some((line) => noProse.test(line)) &&
      paragraph.slice(1).every((next, at) => isBroken(paragraph[at]!, next));
    if (isWrapped) {
      joined.push(paragraph.map((line) => line.trim()).join(" "));
      count += paragraph.length - 1;
    } else joined.push(...paragraph);
    if (to < lines.length) joined.push("");
    from = to + 1;
  }
  return count > 1 ? joined.join("\n") : text;
}
