import { endpoint, open, picture } from '../../kernel/endpoint/declare.ts';
import { findPublic } from '../../queries/media.ts';
import { ImageParams } from '../../domain/media/schemas.ts';
import { show, policy } from '../../actions/media/shown-picture.ts';

export const showImage = endpoint({
  id: 'media.get',
  namespace: 'root',
  route: ['GET /media/:key'],
  summary: 'Show a public picture',
  access: open('these pictures appear on public pages'),
  effect: 'read',
  params: ImageParams,
  reply: [200, picture],
  headers: {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
  },
  errors: ['rest_not_found'],
}).handle(async ({ params, db, files }) => {
  const { found } = await db.query({ found: findPublic(params.key) });
  return show(found[0], files);
});
