import { DOMParser, type Node as DocumentNode, type ParseOptions, type Slice } from "prosemirror-model";
import { schema } from "./schema.ts";
import { straighten } from "./straighten.ts";

/**
 * Reads HTML of any origin, Quill's included. The server parses with it; the editor takes it as `clipboardParser`
 * (not as `domParser`: it changes the tree it is given).
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
