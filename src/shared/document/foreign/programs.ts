import { straightenCodeEditors } from "./code-editors.ts";
import { straightenGhost } from "./ghost.ts";
import { straightenGoogleDocs } from "./google-docs.ts";
import { straightenNotion } from "./notion.ts";
import { straightenObsidian } from "./obsidian.ts";
import { straightenQuill } from "./quill.ts";
import { straightenWebPages } from "./web-pages.ts";
import { straightenWord } from "./word.ts";

/** Each brings what one program writes in its own way into a form that others have, too, or into ours. */
export const programs: readonly ((root: Node) => void)[] = [
  straightenQuill,
  straightenNotion,
  straightenObsidian,
  straightenGhost,
  straightenGoogleDocs,
  straightenWebPages,
  straightenCodeEditors,
  straightenWord,
];
