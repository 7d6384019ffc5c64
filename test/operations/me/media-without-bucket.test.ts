import { expect, test } from 'vitest';
import { formOf } from '../../harness/client.ts';
import { useShop } from '../../harness/shop.ts';
import { pictures } from '../../lib/pictures.ts';

const opened = useShop();

test('a deployment without a bucket answers callers who may upload that the bucket is missing', async () => {
  const { shop } = opened;
  shop.store.bucket = undefined;
  const upload = async (roles: string[]) => {
    const session = await shop.store.session((await shop.newUser({ roles })).id);
    const form = formOf({ file: new Blob([pictures.png]), purpose: 'creative' });
    return session.post('/me/media/upload-image', form);
  };
  expect((await upload(['member'])).status).toBe(403);
  const reply = await upload(['affiliate']);
  expect(reply).toMatchObject({ status: 503, body: { code: 'rest_unavailable' } });
  expect(reply.body.message).toContain('MEDIA');
  expect(reply.headers.get('retry-after')).toBe('3600');
  expect((await shop.store.database.query('select from media')).rowCount).toBe(0);
});
