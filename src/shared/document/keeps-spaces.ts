export function keepsSpaces(dom: Element): boolean {
  return /(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)/i.test(dom.getAttribute("style") ?? "");
}
