import type { Answer } from '../../kernel/command/decision.ts';
import type { ByteRange } from '../../domain/file/downloads.ts';
import { attachment } from '../../domain/file/names.ts';
import type { FileRow } from '../../schema/files.ts';

/** @param content null for HEAD */
export function sentFile(
  { name, type, size, sha256 }: FileRow,
  range: ByteRange | undefined,
  content: ReadableStream | null,
): Answer {
  const last = range && range.offset + range.length - 1;
  return {
    status: range ? 206 : 200,
    text: '',
    ...(content && { stream: content }),
    headers: {
      'content-type': type,
      'content-length': String(range?.length ?? size),
      'content-disposition': attachment(name),
      ...(range && { 'content-range': `bytes ${range.offset}-${last}/${size}` }),
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
    },
  };
}
