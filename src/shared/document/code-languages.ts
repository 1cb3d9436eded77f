/** For code blocks: the name for people and the one for highlighters. */
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

const aliases: Record<string, string> = {
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

/** Returns the full name of a short one. */
export const fullLanguage = (language: string): string =>
  Object.hasOwn(aliases, language.toLowerCase()) ? aliases[language.toLowerCase()]! : language;

/** Returns the readable name; the given one if it is not offered. */
export const languageName = (language: string): string =>
  languages.find(([, one]) => one === fullLanguage(language))?.[0] ?? language;
