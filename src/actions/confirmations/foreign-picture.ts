import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { refusedElsewhere } from '../../kernel/events/safe-url.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { readUpTo } from '../../lib/bytes.ts';
import { type ImageType, imageType } from '../../lib/images/image.ts';
import { largestImage } from '../../domain/media/schemas.ts';

/** Milliseconds, redirects included. */
const patience = 5000;

const mostRedirects = 3;

interface ForeignPicture {
  readonly type: ImageType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const notShown = (reason: string) =>
  refuse('proof_not_shown', { message: `The proof cannot be shown: its address ${reason}.` });

/**
 * Fetches a picture from an address that a buyer gave. The address and every redirect must name a public host. The type
 * is read from the first bytes, not from the header.
 */
export async function fetchPicture(
  address: string,
  { outbound, config }: { outbound: Outbound; config: Config },
): Promise<ForeignPicture | ReturnType<typeof notShown> | ReturnType<typeof unreachable>> {
  const signal = AbortSignal.timeout(patience);
  let url = address;
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const refused = refusedElsewhere(url, config);
      if (refused) return notShown(refused);
      const response = await outbound(url, {
        redirect: 'manual',
        signal,
        headers: { accept: 'image/*', 'user-agent': 'sales-api proofs' },
      });
      const onward = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && onward !== null) {
        await response.body?.cancel();
        url = new URL(onward, url).href;
      } else {
        return await pictureOf(response);
      }
    }
  } catch {
    return unreachable();
  }
  return notShown('leads from one to another');
}

const unreachable = () => refuse('proof_unreachable');

async function pictureOf(response: Response) {
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    return unreachable();
  }
  const bytes = await readUpTo(response.body, largestImage + 1);
  if (bytes.length > largestImage) return notShown(`has more than ${largestImage} bytes`);
  const type = imageType(bytes);
  return type ? { type, bytes } : notShown('has no JPEG, PNG, GIF or WebP');
}
