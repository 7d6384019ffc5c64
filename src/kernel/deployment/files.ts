import { kernelError } from '../errors/errors.ts';

/** The storage of files; a binding of the platform. */
export interface Bucket {
  put(
    key: string,
    bytes: Uint8Array,
    options: { httpMetadata: { contentType: string } },
  ): Promise<unknown>;
  get(key: string): Promise<{ readonly body: ReadableStream } | null>;
  delete(keys: string[]): Promise<unknown>;
}

/**
 * A request's way to the files; it opens with the request's authorisation.
 * @throws Error before that; ApiError `rest_unavailable` where the deployment keeps no files, or
 * they can't be reached
 */
export interface Files {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** The content of a file; null for a missing file. */
  get(key: string): Promise<ReadableStream | null>;
}

const unavailable = (message: string, retryAfter: number) =>
  kernelError('rest_unavailable', { message, retryAfter });

/** @param isOpen whether the request was authorised */
export function filesIn(bucket: Bucket | undefined, isOpen: () => boolean): Files {
  const use = async <T>(work: (bucket: Bucket) => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new Error('The request is not authorised yet.');
    if (!bucket)
      throw unavailable('Files are not kept here: the R2 binding MEDIA is missing.', 3600);
    return work(bucket).catch(() => {
      throw unavailable('The files can not be reached right now. Try again.', 1);
    });
  };
  return {
    put: (key, bytes, contentType) =>
      use(async (files) => {
        await files.put(key, bytes, { httpMetadata: { contentType } });
      }),
    get: (key) => use(async (files) => (await files.get(key))?.body ?? null),
  };
}
