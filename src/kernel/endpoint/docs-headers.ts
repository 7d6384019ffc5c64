/** Lets pages of the documentation load and reach this origin only, so that its operations can be tried there. */
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

/** Headers of the documentation's pages besides those of every answer, by lower-case name. */
export const docsHeaders = { 'content-security-policy': policy } as const;
