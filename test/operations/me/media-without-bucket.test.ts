import { expect, test } from 'vitest';
import { formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { pictures } from '../../lib/pictures.ts';

const opened = useStoreFixture();

test('a deployment without a bucket answers callers who may upload that the bucket is missing', async () => {
  const { fixture } = opened;
  fixture.store.bucket = undefined;
  const upload = async (roles: string[]) => {
    const session = await fixture.store.session((await fixture.newUser({ roles })).id);
    const form = formOf({ file: new Blob([pictures.png]), purpose: 'creative' });
    return session.post('/me/media/upload-image', form);
  };
  expect((await upload(['member'])).status).toBe(403);
  const reply = await upload(['affiliate']);
  expect(reply).toMatchObject({ status: 503, body: { code: 'rest_unavailable' } });
  expect(reply.body.message).toContain('MEDIA');
  expect(reply.headers.get('retry-after')).toBe('3600');
  expect((await fixture.store.database.query('select from media')).rowCount).toBe(0);
});
