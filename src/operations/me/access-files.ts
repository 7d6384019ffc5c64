import { endpoint, ownCollection, session } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { ownList } from '../../actions/me/rules.ts';
import { signLink } from '../../actions/files/links.ts';
import { loadRights, rightsOf } from '../../actions/files/rights.ts';
import { mayDownload } from '../../domain/file/downloads.ts';
import { AccessParams, OwnFile } from '../../domain/file/schemas.ts';
import { findReadyFiles } from '../../queries/files.ts';

export const listOwnFiles = endpoint({
  id: 'me.access.files',
  route: ['GET /me/access/:product_id/files'],
  summary: 'List the files of a product that you may download',
  description:
    'In order of `position`, each with a new link. Files that open later are left out. People who never had access to the product get 404.',
  access: session(),
  effect: 'read',
  params: AccessParams,
  reply: [200, ownCollection(OwnFile)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params: { product_id }, db, authority, config, now }) => {
  const { userId } = principal;
  const { files, ...loaded } = await db.query({
    files: findReadyFiles(product_id),
    ...loadRights(userId, { product_id }),
  });
  const rights = rightsOf(loaded, now);
  // A product that the caller never had is not revealed.
  if (!rights?.grants.some((grant) => grant.product_id === product_id)) {
    return refuse('rest_not_found');
  }
  const open = files.filter((file) => mayDownload(file, rights));
  const shown = open.map(async ({ id, size, sha256, ...file }) => ({
    ...file,
    id,
    size: size ?? 0,
    sha256: sha256 ?? '',
    download_url: `${config.BASE_URL}/download/${await signLink(authority, userId, id, now)}`,
  }));
  return ownList(principal, await Promise.all(shown));
});
