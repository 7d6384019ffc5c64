import { createHash } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import type { OwnFile, ProductFile } from '../../../src/domain/file/schemas.ts';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

export const sha256 = (bytes: Uint8Array | string) =>
  createHash('sha256').update(bytes).digest('hex');

/** A store with a course of two variants, whose buyers download its files. */
export function useFiles() {
  const opened = useStoreFixture();
  const fixture = () => opened.fixture;
  let course: Product;

  beforeAll(async () => {
    fixture().store.clock.set('2026-03-10T09:00:00Z');
    const option = (id: string) => ({
      ...{ id, key: id, label: id, extra_price: 0, extra_weight: 0 },
      ...{ sku: '', stock: null, active: true },
    });
    const options = [option('basic'), option('workbook')];
    const group = { id: 'format', key: 'format', label: 'Format', required: false, options };
    course = await fixture().newProduct({ variants: [group] });
  });

  const upload = (fields: object = {}, content = 'content', name = 'a.txt') => {
    const form = formOf({ product_id: course.id, ...fields });
    form.append('file', new File([content], name, { type: 'text/plain' }));
    return fixture().api.post('/files', form);
  };

  const newFile = async (fields: object = {}, content?: string, name?: string) => {
    const reply = await upload(fields, content, name);
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    return reply.body.data as ProductFile;
  };

  const newBuyer = async (fields: object = {}) => {
    const order = await fixture().newOrder({ product_id: course.id, ...fields });
    await fixture().api.patch(`/orders/${order.id}`, { status: 'completed' });
    return { user_id: order.user_id, order: order.id };
  };

  const ownFiles = async (user_id: number): Promise<OwnFile[]> => {
    const session = await fixture().store.session(user_id);
    const reply = await session.get(`/me/access/${course.id}/files`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    return reply.body.data;
  };

  const download = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fixture().store.fetch(new Request(url, { headers, method }));
    const text = await response.text();
    const trips = /desc="(\d)/.exec(response.headers.get('server-timing') ?? '')?.[1];
    return { status: response.status, headers: response.headers, text, trips: Number(trips) };
  };

  const newLink = async (content?: string, name?: string) => {
    const [file, buyer] = [await newFile({}, content, name), await newBuyer()];
    const own = (await ownFiles(buyer.user_id)).find(({ id }) => id === file.id);
    return { file, ...buyer, url: own?.download_url ?? '' };
  };

  return {
    ...{ fixture, course: () => course, upload, newFile, newBuyer },
    ...{ ownFiles, download, newLink },
  };
}
