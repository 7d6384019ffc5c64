import { fileAnswer } from '../../kernel/command/answers.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import type { Files } from '../../kernel/deployment/files.ts';
import type { MediaRow } from '../../schema/media.ts';

export async function show(row: Pick<MediaRow, 'key' | 'type' | 'size'> | undefined, files: Files) {
  const stream = row && (await files.get(row.key));
  return stream ? fileAnswer(stream, row.type, row.size) : refuse('rest_not_found');
}

/** Keeps browsers from running code in a file. */
export const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
