import { errorOf } from '../../../client/src/errors.ts';
import { api } from './client.ts';
import type { FileCreate } from './generated.ts';
import { inWords } from './refusals.ts';

/** The most tries to send a part. */
const tries = 3;

/**
 * Uploads a file for a product, part by part.
 * @param about its further fields
 * @param onProgress receives the share of sent bytes, from 0 to 1
 */
export async function uploadFile(
  product_id: number,
  file: File,
  about: Pick<FileCreate, 'release' | 'position' | 'content_id'>,
  onProgress: (share: number) => void,
): Promise<void> {
  const { name, size, type } = file;
  const { id, upload } = (await api.files.create({ ...about, product_id, name, size, type })).data;
  const partSize = upload?.part_size ?? size;
  for (let part = 1, from = 0; from < size; part++, from += partSize) {
    const bytes = file.slice(from, from + partSize);
    const sent = (loaded: number) => onProgress((from + loaded) / size);
    await sendPart(`/console/api/v1/files/${id}/parts/${part}`, bytes, sent);
  }
  await api.files.complete(id);
}

async function sendPart(url: string, bytes: Blob, onSent: (loaded: number) => void) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(url, bytes, onSent);
    } catch (error) {
      if (attempt === tries) throw await inWords(error as Error);
    }
  }
}

/** Sends bytes by a request that reports its progress, which `fetch` doesn't. */
const sendOnce = (url: string, bytes: Blob, onSent: (loaded: number) => void) =>
  new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('x-console', '1');
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('error', () => reject(new TypeError('The connection broke.')));
    request.addEventListener('load', () => {
      if (request.status === 200) return resolve();
      const requestId = request.getResponseHeader('x-request-id') ?? undefined;
      reject(
        errorOf(request.responseText, request.getResponseHeader('content-type') ?? '', {
          ...{ operation: 'files.uploadPart', status: request.status },
          ...{ requestId, retryAfter: undefined },
        }),
      );
    });
    request.send(bytes);
  });
