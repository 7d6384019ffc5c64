import { describe, expect, test } from 'vitest';
import { fetchPicture } from '../../../src/actions/confirmations/foreign-picture.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { baseUrl } from '../../harness/store.ts';
import { hostileUrls } from '../../kernel/events/hostile-urls.ts';
import { joined, pictures } from '../../lib/pictures.ts';
import { usePictureHost } from './picture-host.ts';
import { long } from '../../harness/long.ts';

const opened = useStoreFixture();
const host = usePictureHost();
const limit = 5 * 1_048_576;

/**
 * A confirmation with a proof.
 * @returns its id
 */
async function confirmedBy(proof: string): Promise<number> {
  const { fixture } = opened;
  const order = await fixture.newOrder({ product_id: (await fixture.newProduct()).id });
  const reply = await fixture.api.post('/confirmations', { order_id: order.id, proof });
  expect(reply.status).toBe(201);
  return reply.body.data.id;
}

async function shown(id: number) {
  const { store } = opened.fixture;
  const { token } = await store.createKey({ scopes: ['confirmations:read'] });
  const headers = { authorization: `Bearer ${token}` };
  const url = `${baseUrl}/api/svc/v1/confirmations/${id}/proof`;
  const response = await store.fetch(new Request(url, { headers }));
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function refusal(proof: string): Promise<[number, string]> {
  const { response, bytes } = await shown(await confirmedBy(proof));
  return [response.status, JSON.parse(new TextDecoder().decode(bytes)).code];
}

const notShown = [422, 'proof_not_shown'];
const unreachable = [502, 'proof_unreachable'];

describe('A proof that was uploaded', () => {
  test('is shown to its reviewer by its full address, by its path and by an earlier address of the service', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser();
    const { id: product_id } = await fixture.newProduct();
    const order = await fixture.newOrder({ product_id, user_id: user.id });
    const session = await fixture.store.session(user.id);
    const form = formOf({ file: new Blob([pictures.png]), purpose: 'proof', order_id: order.id });
    const { url } = (await session.post('/me/media/upload-image', form)).body.data;
    const elsewhere = `https://before.example${new URL(url).pathname}`;
    for (const proof of [url, new URL(url).pathname, elsewhere]) {
      const id = await confirmedBy(proof);
      const { response, bytes } = await shown(id);
      expect(response.status).toBe(200);
      expect(bytes).toEqual(new Uint8Array(pictures.png));
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(pictures.png.length),
        'content-disposition': `inline; filename="proof-${id}.png"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      });
    }
    const gone = `${url.slice(0, url.lastIndexOf('/'))}/${'a'.repeat(32)}.png`;
    expect(await refusal(gone)).toEqual(unreachable);
  });

  test('is a 404 if the buyer gave none, and for an unknown confirmation', async () => {
    expect(await refusal('')).toEqual([404, 'proof_missing']);
    expect((await shown(999_999)).response.status).toBe(404);
  });
});

describe('A proof on another server', () => {
  test.each(['png', 'jpeg', 'gif', 'transparentWebp'] as const)(
    'is shown as its real type, whatever that server calls it: %s',
    async (name) => {
      const bytes = pictures[name];
      const id = await confirmedBy(host.put(`/${name}`, bytes, 'text/html'));
      const { response, bytes: got } = await shown(id);
      expect(response.status).toBe(200);
      expect(got).toEqual(new Uint8Array(bytes));
      expect(response.headers.get('content-type')).toMatch(/^image\/(png|jpeg|gif|webp)$/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const asked = host.asked.at(-1);
      expect(asked?.headers).not.toHaveProperty('authorization');
      expect(asked?.headers).not.toHaveProperty('cookie');
    },
  );

  test.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ['an SVG said to be a PNG', '<?xml version="1.0"?><svg/>', 'image/png'],
    ['a PDF', '%PDF-1.7', 'application/pdf'],
    ['nothing', '', 'image/png'],
    ['more than 5 MiB', joined(pictures.png, new Uint8Array(limit)), 'image/png'],
  ])('is not shown where it is %s', async (name, body, type) => {
    expect(await refusal(host.put(`/${encodeURIComponent(name)}`, body, type))).toEqual(notShown);
  });

  test('is read up to 5 MiB, however large it is', async () => {
    let closed: Promise<unknown> = Promise.reject(new Error('It was not asked.'));
    closed.catch(() => {});
    host.pages.set('/endless', (response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write(pictures.png);
      const more = () => void response.write(new Uint8Array(65_536), (gone) => gone || more());
      closed = new Promise((resolve) => {
        response.on('close', resolve);
      });
      more();
    });
    expect(await refusal(host.url('/endless'))).toEqual(notShown);
    await closed;
  });

  long('is not waited for longer than a few seconds', { timeout: 20_000 }, async () => {
    host.pages.set('/never', () => {});
    host.pages.set('/stalls', (response) => {
      response.writeHead(200).write(pictures.png.subarray(0, 20));
    });
    const answers = ['/never', '/stalls'].map((path) => refusal(host.url(path)));
    expect(await Promise.all(answers)).toEqual([unreachable, unreachable]);
  });

  test('is refused if the server has no such file or does not answer', async () => {
    expect(await refusal(host.url('/none'))).toEqual(unreachable);
    expect(await refusal('http://127.0.0.1:1/x.png')).toEqual(unreachable);
  });

  test('is fetched through three redirects at most', async () => {
    const picture = host.put('/there', pictures.png);
    const direct = await confirmedBy(host.redirect('/here', picture, 308));
    expect((await shown(direct)).response.status).toBe(200);
    const relative = await confirmedBy(host.redirect('/near', 'there'));
    expect((await shown(relative)).response.status).toBe(200);
    const round = host.redirect('/round', '/round');
    expect(await refusal(round)).toEqual(notShown);
    expect(host.asked.filter(({ url }) => url === '/round')).toHaveLength(4);
  });

  test.each([
    'http://10.0.0.1/x.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://metadata.internal/x.png',
    'http://elsewhere.example/x.png',
    'https://elsewhere.example:22/x.png',
    'https://name:secret@elsewhere.example/x.png',
    'ftp://elsewhere.example/x.png',
    'file:///etc/passwd',
    'data:image/png;base64,iVBORw0KGgo=',
    `${baseUrl}/media/x.png`,
  ])('is not fetched if it redirects to %s', async (location) => {
    expect(await refusal(host.redirect('/away', location))).toEqual(notShown);
  });

  test.each([
    'http://elsewhere.example/x.png',
    '/proofs/x.png',
    `${baseUrl}/api/svc-notify/v1/sink`,
  ])('is not fetched from %s', async (proof) => {
    expect(await refusal(proof)).toEqual(notShown);
  });

  test('is never requested from an address that a deployment may not reach, not even by a redirect', async () => {
    const { DEV_OUTBOUND: _, ...deployed } = readConfig(await opened.fixture.store.environment);
    const config: Config = { ...deployed };
    const asked: string[] = [];
    const away = (location: string) => async (url: string) => {
      asked.push(url);
      return new Response(null, { status: 302, headers: { location } });
    };
    const bad = Object.values(hostileUrls).flat();
    for (const url of bad) {
      const outcome = await fetchPicture(url, { outbound: away('/'), config });
      expect(outcome, url).toMatchObject({ refused: 'proof_not_shown' });
    }
    expect(asked).toEqual([]);
    const start = 'https://elsewhere.example/x.png';
    // An address without a host redirects to the same host.
    for (const url of bad.filter((one) => /^https?:\/\/[\x21-\x7e]+$/.test(one))) {
      await fetchPicture(start, { outbound: away(url), config });
      expect(asked.splice(0), url).toEqual([start]);
    }
  });
});
