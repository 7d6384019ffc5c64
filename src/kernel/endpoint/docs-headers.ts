/** What the documentation's pages may load and reach: nothing but this origin, whose operations can be tried. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What pages of the documentation are sent with besides the headers of every answer, by lower-case name. */
export const docsHeaders = { 'content-security-policy': policy } as const;
