import { codeLanguage } from "../../shared/document/values.ts";
import { typedLanguage } from "./languages.ts";

/** In which language VS Code and those made of it have what they copy; null where something else has copied it. */
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

/** The text of a paste that has no form beside it; null where it has one. */
export function bareText(data: DataTransfer | null): string | null {
  if (!data) return null;
  const isBare = data.getData("text/html") === "" || prose.includes(modeOf(data) ?? "");
  return (isBare && data.getData("text/plain")) || null;
}

/** Lines of code with their language, where the program that copied them says so; otherwise what it was given. */
export function withLanguage(html: string, data: DataTransfer | null): string {
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
