import { download, endpoint, open } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { linkState, mayDownload, rangeOf } from '../../domain/file/downloads.ts';
import { DownloadParams } from '../../domain/file/schemas.ts';
import { policy } from '../../actions/media/shown-picture.ts';
import { readLink } from '../../actions/files/links.ts';
import { loadRights, rightsOf } from '../../actions/files/rights.ts';
import { sentFile } from '../../actions/files/sending.ts';
import { countLink, findFile, findUsedLinks } from '../../queries/files.ts';

export const downloadFile = endpoint({
  id: 'files.download',
  namespace: 'root',
  route: ['GET /download/:token'],
  summary: 'Download a file',
  description:
    'Called by a `download_url`. Access is checked at every request: a download ends when access does. `Range` and `If-Range` work for a single range.',
  access: open('the link itself says who may download what'),
  effect: 'write',
  secretReply: true,
  head: true,
  conditional: false,
  params: DownloadParams,
  reply: [200, download],
  headers: { 'content-security-policy': policy },
  errors: [
    'rest_not_found',
    'download_closed',
    'download_expired',
    'download_limit',
    'download_range',
  ],
}).handle(async ({ params, db, files, authority, request, now }) => {
  const token = await readLink(params.token, authority, now);
  if (!token) return refuse('download_expired');
  const { user_id, file_id, link } = token;
  const { found, used, ...loaded } = await db.query({
    found: findFile(file_id),
    used: findUsedLinks(user_id, file_id, link),
    ...loadRights(user_id, { file_id }),
  });
  const [file] = found;
  const rights = rightsOf(loaded, now);
  if (!file?.size || file.status !== 'ready') return refuse('rest_not_found');
  if (!rights || !mayDownload(file, rights)) return refuse('download_closed');
  const state = linkState(link, used[0]?.links ?? [], now);
  if (isRefusal(state)) return state;
  const range = rangeOf(rangeHeader(request, file.sha256), file.size);
  if (isRefusal(range)) return range;
  if (request.method === 'HEAD') return sentFile(file, range, null);
  if (state === 'begins') {
    const counted = await db.change<Record<never, never>, 'download_limit'>({
      load: {},
      decide: () => ({ write: [countLink(user_id, file_id, link)], reply: '' }),
    });
    if (isRefusal(counted)) return counted;
  }
  const content = await files.get(file.key, range);
  return content ? sentFile(file, range, content) : refuse('rest_not_found');
});

/** The requested range, unless `If-Range` names another version of the file. */
function rangeHeader(
  { header }: { header: (name: string) => string | undefined },
  sha256: string | null,
): string | undefined {
  const ifRange = header('if-range');
  return ifRange === undefined || ifRange === `"${sha256}"` ? header('range') : undefined;
}
