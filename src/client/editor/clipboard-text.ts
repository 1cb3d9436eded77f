import { codeLanguage } from "../../shared/document/values.ts";
import { typedLanguage } from "./languages.ts";

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
