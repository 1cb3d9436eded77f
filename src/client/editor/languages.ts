import { fullLanguage } from "../../shared/document/code-languages.ts";
import { codeLanguage } from "../../shared/document/values.ts";

/** Returns the language typed after three backticks. */
export const typedLanguage = (text: string | undefined): string | null =>
  codeLanguage(text === undefined ? text : fullLanguage(text));
