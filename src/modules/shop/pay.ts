import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { seeOther } from '../../kernel/command/answers.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { generationOf, linkedOrder } from '../../actions/shop/secrets.ts';
import { openOrderPage } from '../../processes/payments/open-order-page.ts';
import { errorPage, messageAnswer } from './answers.ts';

export const payOrder = endpoint({
  id: 'shop.pay',
  namespace: 'root',
  route: ['POST /order/:token/pay'],
  summary: "Open the provider's page of an order, or ask the provider about its payment",
  access: open('its link carries a proof that nobody can guess'),
  effect: 'write',
  conditional: false,
  params: z.object({ token: nameUpTo(100) }),
  body: z.object({ look: z.literal('1').optional() }),
  bodyType: 'application/x-www-form-urlencoded',
  reply: [200, html],
  errorPage,
}).handle(
  async ({ params: { token }, body, db, request, authority, config, outbound: http, now }) => {
    const linked = await linkedOrder(token, authority);
    if (!linked) return messageAnswer(request, 'missing', 404);
    const opened = await openOrderPage(
      linked.id,
      asPages(db),
      { config, http, authority, now },
      {
        admits: ({ form, buyer }) => generationOf(form[0], buyer[0]) === linked.generation,
        opens: body.look === undefined,
      },
    );
    if (isRefusal(opened) && opened.refused === 'rest_not_found')
      return messageAnswer(request, 'missing', 404);
    // A paid order needs no notice: its page says that it is paid.
    const isBusy = isRefusal(opened) && opened.refused !== 'order_not_payable';
    return seeOther(`/order/${token}${isBusy ? '?said=busy' : ''}`);
  },
);

/** The process's reply isn't sent to the caller. */
const asPages = <Reply>(db: WriteAccess<string>): WriteAccess<Reply> => ({
  query: (reads) => db.query(reads),
  change: ({ load, decide }) =>
    db.change({
      load,
      decide: (loaded, again) => {
        const decided = decide(loaded, again);
        return isRefusal(decided) ? decided : { ...decided, reply: '' };
      },
    }),
});
