import { AnswerTooLarge } from '../database/errors.ts';

/** A file that is made while it is sent. */
export interface StreamedFile {
  readonly name: string;
  readonly type: string;
  /** The parts of the text. A part is made only when it is read. */
  readonly texts: AsyncGenerator<string, void>;
}

/** Records of a page, and the number that always fits into an answer of the database. */
const [usualSize, sureSize] = [1000, 100];

/**
 * Reads page after page; smaller pages if an answer is too large.
 * @param read reads this many records after a place, and returns the next place
 */
export async function* pagesOf<T, N>(
  start: N | undefined,
  read: (after: N | undefined, size: number) => Promise<{ page: T; next: N | undefined }>,
): AsyncGenerator<T, void> {
  let size = usualSize;
  for (let after = start; ;) {
    const found = await read(after, size).catch((error: unknown) => {
      if (!(error instanceof AnswerTooLarge) || size === sureSize) throw error;
      size = sureSize;
      return read(after, size);
    });
    yield found.page;
    if (found.next === undefined) return;
    after = found.next;
  }
}
