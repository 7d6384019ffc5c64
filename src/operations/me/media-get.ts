import { endpoint, picture, session } from '../../kernel/endpoint/declare.ts';
import { findProof } from '../../queries/media.ts';
import { ImageParams } from '../../domain/media/schemas.ts';
import { show, policy } from '../../actions/media/shown-picture.ts';

export const showProof = endpoint({
  id: 'me.media.get',
  route: ['GET /me/media/:key'],
  summary: 'Show a payment proof',
  description: "Visible to its uploader, the order's buyer and administrators.",
  access: session(),
  effect: 'read',
  params: ImageParams,
  reply: [200, picture],
  headers: { 'cache-control': 'private, no-store', 'content-security-policy': policy },
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db, files }) => {
  const { found } = await db.query({ found: findProof(params.key, principal) });
  return show(found[0], files);
});
