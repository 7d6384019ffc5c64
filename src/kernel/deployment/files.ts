import { encodeHex } from '../../lib/bytes.ts';
import { kernelError } from '../errors/errors.ts';

interface PartUpload {
  uploadPart(part: number, content: ReadableStream): Promise<{ readonly etag: string }>;
  complete(parts: readonly UploadedPart[]): Promise<unknown>;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

type FileType = { readonly httpMetadata: { readonly contentType: string } };

/** A binding of the platform for stored files. */
export interface Bucket {
  put(key: string, content: Uint8Array, options: FileType): Promise<unknown>;
  get(
    key: string,
    options?: { readonly range: ByteRange },
  ): Promise<{ readonly body: ReadableStream } | null>;
  delete(keys: string[]): Promise<unknown>;
  createMultipartUpload(key: string, options: FileType): Promise<{ readonly uploadId: string }>;
  resumeMultipartUpload(key: string, uploadId: string): PartUpload;
}

/**
 * A request's access to files.
 * @throws Error before the request is authorised; ApiError `rest_unavailable` if the deployment stores no files, or
 * they can't be reached
 */
export interface Files {
  /** False if the deployment has no bucket. */
  readonly areKept: boolean;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns a file's content, or some bytes of it; null if there is no file. */
  get(key: string, range?: ByteRange): Promise<ReadableStream | null>;
  /** Begins an upload in parts. @returns its id */
  begin(key: string, contentType: string): Promise<string>;
  /** @returns the part's tag */
  putPart(key: string, id: string, part: number, content: ReadableStream): Promise<string>;
  /** Joins the parts, unless they are joined. */
  complete(key: string, id: string, parts: readonly UploadedPart[]): Promise<void>;
  /** Returns the SHA-256 of a file in hexadecimal; null if there is no file. */
  digest(key: string): Promise<string | null>;
}

type DigestStream = new (algorithm: string) => WritableStream & {
  readonly digest: Promise<ArrayBuffer>;
};

const unavailable = (message: string, retryAfter: number) =>
  kernelError('rest_unavailable', { message, retryAfter });

/**
 * @param isOpen tells if the request was authorised
 * @param renew restarts the time limit of the request's trips after long work
 */
export function filesIn(
  bucket: Bucket | undefined,
  isOpen: () => boolean,
  renew: () => void,
): Files {
  const use = async <T>(work: (bucket: Bucket) => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new Error('The request is not authorised yet.');
    if (!bucket)
      throw unavailable('This deployment stores no files: the R2 binding MEDIA is missing.', 3600);
    return work(bucket).catch(() => {
      throw unavailable('The files cannot be reached right now. Try again.', 1);
    });
  };
  const long = <T>(work: (bucket: Bucket) => Promise<T>) => use(work).finally(renew);
  const get: Files['get'] = (key, range) =>
    use(async (files) => (await files.get(key, range && { range }))?.body ?? null);
  return {
    areKept: bucket !== undefined,
    put: (key, bytes, contentType) =>
      use(async (files) => {
        await files.put(key, bytes, { httpMetadata: { contentType } });
      }),
    get,
    begin: (key, contentType) =>
      use(
        async (files) =>
          (await files.createMultipartUpload(key, { httpMetadata: { contentType } })).uploadId,
      ),
    putPart: (key, id, part, content) =>
      long(
        async (files) =>
          (await files.resumeMultipartUpload(key, id).uploadPart(part, content)).etag,
      ),
    complete: (key, id, parts) =>
      long(async (files) => {
        try {
          await files.resumeMultipartUpload(key, id).complete(parts);
        } catch (error) {
          const found = await files.get(key, { range: { offset: 0, length: 1 } });
          if (!found) throw error;
          await found.body.cancel();
        }
      }),
    digest: async (key) => {
      const content = await get(key);
      if (!content) return null;
      const { DigestStream } = crypto as unknown as { DigestStream: DigestStream };
      const digest = new DigestStream('SHA-256');
      return long(async () => {
        await content.pipeTo(digest);
        return encodeHex(new Uint8Array(await digest.digest));
      });
    },
  };
}
