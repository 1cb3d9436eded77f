import { codeLanguage } from "../../shared/document/values.ts";

/** The languages on offer for a block of code, as people and as highlighters call them. */
export const languages: readonly (readonly [name: string, language: string | null])[] = [
  ["Plain text", null],
  ["Bash", "bash"],
  ["C", "c"],
  ["C++", "cpp"],
  ["C#", "csharp"],
  ["CSS", "css"],
  ["Go", "go"],
  ["HTML", "html"],
  ["Java", "java"],
  ["JavaScript", "javascript"],
  ["JSON", "json"],
  ["Kotlin", "kotlin"],
  ["Markdown", "markdown"],
  ["PHP", "php"],
  ["Python", "python"],
  ["Ruby", "ruby"],
  ["Rust", "rust"],
  ["SQL", "sql"],
  ["Swift", "swift"],
  ["TypeScript", "typescript"],
  ["YAML", "yaml"],
];

const short: Record<string, string> = {
  "c#": "csharp",
  "c++": "cpp",
  js: "javascript",
  jsx: "javascript",
  kt: "kotlin",
  md: "markdown",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
};

/** The language meant by what follows three backticks; null for none. */
export function typedLanguage(text: string | undefined): string | null {
  return codeLanguage(Object.hasOwn(short, text?.toLowerCase() ?? "") ? short[text!.toLowerCase()] : text);
}
