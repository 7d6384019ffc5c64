/** Controls, and marks that change the direction of text. */
const unsafe = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** Removes folders and misleading characters. */
export const plainName = (text: string): string =>
  (text.split(/[\\/]/).at(-1) ?? '').replace(unsafe, '').trim();

/** The `Content-Disposition` of a download (RFC 6266), with an ASCII name for old clients. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
