import { DOMParser, type Node as DocumentNode, type ParseOptions, type Slice } from "prosemirror-model";
import { schema } from "./schema.ts";
import { straighten } from "./straighten.ts";

/**
 * Parses HTML of any origin. The server parses with it; the editor uses it as `clipboardParser` (not as `domParser`, since it
 * modifies the tree).
 */
class DocumentParser extends DOMParser {
  override parse(dom: Node, options?: ParseOptions): DocumentNode {
    straighten(dom);
    return super.parse(dom, options);
  }

  override parseSlice(dom: Node, options?: ParseOptions): Slice {
    straighten(dom);
    return super.parseSlice(dom, options);
  }
}

export const documentParser = new DocumentParser(schema, DOMParser.fromSchema(schema).rules);
