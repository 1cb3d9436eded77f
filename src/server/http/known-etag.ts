/** Whether `If-None-Match` names this ETag, weak or strong, or is `*` (RFC 9110, 13.1.2). */
export const isKnownEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag.replace(/^W\//, "")));
