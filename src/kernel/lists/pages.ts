import { AnswerTooLarge } from '../database/errors.ts';

/** A file that is sent while it is made. */
export interface StreamedFile {
  readonly name: string;
  readonly type: string;
  /** Its parts, each made when the one before was taken. */
  readonly texts: AsyncGenerator<string, void>;
}

/** Records of a page; and how many fit into an answer of the database however large they are. */
const [usualSize, sureSize] = [1000, 100];

/**
 * Reads page after page, smaller ones where the database can't answer with as much.
 * @param read the page of so many records after a place, and the place after it
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
