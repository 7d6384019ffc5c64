import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { linkedOrder } from '../../actions/shop/secrets.ts';
import { errorPage, messageAnswer, missingPage, pageAnswer } from './answers.ts';
import { loadOrder, orderView } from './order-data.ts';
import type { OrderNotice } from './view/order/page.tsx';

const notices: readonly string[] = ['proof', 'wrong', 'busy'] satisfies OrderNotice[];

export const showOrder = endpoint({
  id: 'shop.order',
  namespace: 'root',
  route: ['GET /order/:token'],
  summary: 'Show an order to whoever has its link',
  access: open('its link carries a proof that nobody can guess'),
  effect: 'read',
  params: z.object({ token: nameUpTo(100) }),
  query: z.object({ said: nameUpTo(10).optional(), payment: nameUpTo(100).optional() }),
  reply: [200, html],
  errorPage,
}).handle(
  async ({
    params: { token },
    query: { said = '', payment },
    db,
    request,
    authority,
    config,
    files,
    now,
  }) => {
    const linked = await linkedOrder(token, authority);
    if (!linked) return messageAnswer(request, 'missing', 404);
    const loaded = await db.query(loadOrder(linked.id, now));
    const view = await orderView(loaded, linked, { config, authority, now });
    if (!view) return missingPage(loaded.settings, request);
    const { orderPage } = await import('./view/order/page.tsx');
    const notice = notices.includes(said) ? (said as OrderNotice) : undefined;
    return pageAnswer(
      loaded.settings,
      request,
      (store) =>
        orderPage(
          store,
          { ...view, token, takesPictures: files.areKept, returned: payment !== undefined },
          notice,
        ),
      { isFramed: true },
    );
  },
);
