/** Restricts pages of the documentation to this origin, so that its operations can be tried there. */
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

/** By lower-case name, besides the common headers. */
export const docsHeaders = { 'content-security-policy': policy } as const;
