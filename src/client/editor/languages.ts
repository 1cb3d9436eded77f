import { fullLanguage } from "../../shared/document/code-languages.ts";
import { codeLanguage } from "../../shared/document/values.ts";

/** The language meant by what follows three backticks; null for none. */
export const typedLanguage = (text: string | undefined): string | null =>
  codeLanguage(text === undefined ? text : fullLanguage(text));
