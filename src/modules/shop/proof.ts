import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { seeOther } from '../../kernel/command/answers.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import {
  changeErrors,
  decideReport,
  loadReport,
} from '../../actions/confirmations/confirm-payment.ts';
import { generationOf, linkedOrder } from '../../actions/shop/secrets.ts';
import { newMedia, toUploadedImage, uploadErrors } from '../../domain/media/rules.ts';
import { largestForm } from '../../domain/media/schemas.ts';
import { findProofsOf, insertMedia, limitProofs } from '../../queries/media.ts';
import { findFormOf } from '../../queries/purchase-forms.ts';
import { findBuyerOf } from '../../queries/users.ts';
import { errorPage, messageAnswer } from './answers.ts';

/** Proofs of payment kept per order: anybody with its link can send them. */
const mostProofs = 10;

export const sendProof = endpoint({
  id: 'shop.proof',
  namespace: 'root',
  route: ['POST /order/:token/proof'],
  summary: 'Report the payment of an order, with a proof of payment',
  access: open('its link carries a proof that nobody can guess'),
  effect: 'write',
  conditional: false,
  params: z.object({ token: nameUpTo(100) }),
  body: z.object({ file: z.file().optional() }),
  bodyType: 'multipart/form-data',
  bodyLimit: largestForm,
  reply: [200, html],
  errors: [...changeErrors, ...uploadErrors, 'order_not_payable'],
  errorPage,
}).handle(async ({ params: { token }, body, db, files, request, authority, config, now }) => {
  const linked = await linkedOrder(token, authority);
  if (!linked) return messageAnswer(request, 'missing', 404);
  const bytes = new Uint8Array((await body.file?.arrayBuffer()) ?? []);
  const changed = await db.change({
    load: {
      ...loadReport(linked.id, {}),
      form: findFormOf(linked.id),
      buyer: findBuyerOf(linked.id),
      proofs: findProofsOf(linked.id),
    },
    decide: (loaded) => {
      const [row] = loaded.found;
      if (!row || generationOf(loaded.form[0], loaded.buyer[0]) !== linked.generation)
        return refuse('rest_not_found');
      if (!files.areKept) return reportAlone(loaded, now);
      if (loaded.proofs.length >= mostProofs) return refuse('rest_too_many_requests');
      const media = newMedia(
        bytes,
        { purpose: 'proof', order_id: linked.id },
        row.order.user_id,
        now,
      );
      if (isRefusal(media)) return media;
      const report = decideReport(
        loaded,
        { proof: toUploadedImage(media, config).url },
        () => refuse('rest_not_found'),
        { actor: { type: 'system', id: null }, now },
      );
      if (isRefusal(report)) return report;
      return {
        ...report,
        // The file is stored first: nobody sees it without its row, and no row lacks its file.
        first: () => files.put(media.key, bytes, media.type),
        // The report locks the order, so that its proofs are counted one at a time.
        write: [...report.write, limitProofs(linked.id, mostProofs), insertMedia(media)],
        reply: '',
      };
    },
  });
  if (!isRefusal(changed)) return seeOther(`/order/${token}?said=proof`);
  if (changed.refused === 'rest_not_found') return messageAnswer(request, 'missing', 404);
  if (changed.refused === 'rest_too_many_requests') return messageAnswer(request, 'refused', 429);
  // A paid order needs no notice: its page says that it is paid.
  const isPicture = changed.refused !== 'order_not_payable';
  return seeOther(`/order/${token}${isPicture ? '?said=wrong' : ''}`);
});

/** The report of a payment in a store that keeps no pictures. The one that waits for its review is enough. */
function reportAlone(loaded: Results<ReturnType<typeof loadReport>>, now: Date) {
  if (loaded.found[0]?.order.status === 'payment-confirm') return refuse('order_not_payable');
  const actor = { type: 'system', id: null } as const;
  const report = decideReport(loaded, {}, () => refuse('rest_not_found'), { actor, now });
  return isRefusal(report) ? report : { ...report, reply: '' };
}
