/** Characters that XML 1.0 forbids even escaped. */
const invalidXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Removes the characters that XML cannot express. */
export const validXml = (xml: string): string => xml.toWellFormed().replace(invalidXml, "");

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Returns text for XML elements and quoted attributes. */
export const xmlText = (text: string): string =>
  validXml(text).replace(/[&<>"']/g, (letter) => entities[letter]!);
