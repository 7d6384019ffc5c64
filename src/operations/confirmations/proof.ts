import { apiKey, endpoint, IdParams, picture } from '../../kernel/endpoint/declare.ts';
import { fileAnswer } from '../../kernel/command/answers.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findConfirmation } from '../../queries/confirmations.ts';
import { findPictureOfProof } from '../../queries/media.ts';
import { extensions, keyAt } from '../../domain/media/rules.ts';
import { policy } from '../../actions/media/shown-picture.ts';
import { fetchPicture } from '../../actions/confirmations/foreign-picture.ts';

export const showConfirmationProof = endpoint({
  id: 'confirmations.proof',
  route: ['GET /confirmations/:id/proof'],
  summary: 'Show the proof of a payment confirmation',
  description:
    'The picture itself. If it is on another server, the service fetches it: from public https addresses only, within 5 seconds and 5 MiB. The type is detected from the content: JPEG, PNG, GIF or WebP; nothing else is shown.',
  access: apiKey('confirmations:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, picture],
  headers: { 'cache-control': 'private, no-store', 'content-security-policy': policy },
  errors: ['rest_not_found', 'proof_missing', 'proof_not_shown', 'proof_unreachable'],
}).handle(async ({ params: { id }, db, files, outbound, config }) => {
  const { found, kept } = await db.query({
    found: findConfirmation(id),
    kept: findPictureOfProof(id),
  });
  const [confirmation] = found;
  const [own] = kept;
  if (!confirmation) return refuse('rest_not_found');
  const { proof } = confirmation.detail;
  if (proof === '') return refuse('proof_missing');
  // Compares only the key: the address of the service may have changed since.
  if (own || keyAt(proof, config) !== undefined) {
    const stream = own ? await files.get(own.key) : null;
    return own && stream
      ? fileAnswer(stream, own.type, own.size, `proof-${id}.${extensions[own.type]}`)
      : refuse('proof_unreachable');
  }
  const fetched = await fetchPicture(proof, { outbound, config });
  if (isRefusal(fetched)) return fetched;
  const { bytes, type } = fetched;
  const stream = new Blob([bytes]).stream();
  return fileAnswer(stream, type, bytes.length, `proof-${id}.${extensions[type]}`);
});
