import { endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { orderToken } from '../../actions/shop/secrets.ts';
import { loadOrder, ownOrderView } from './order-data.ts';
import { answerMember, memberPage } from './account-member.ts';

export const showOwnOrder = endpoint({
  ...memberPage,
  id: 'shop.accountOrder',
  route: ['GET /account/orders/:id'],
  params: IdParams,
  summary: 'Show a member one of their orders',
}).handle(async ({ params: { id }, ...context }) =>
  answerMember(context, {
    load: () => loadOrder(id, context.now),
    view: async (loaded, member) => {
      const view = await ownOrderView(loaded, member.id, context);
      if (!view) return undefined;
      const { orderPage } = await import('./view/order/page.tsx');
      const token = await orderToken(id, view.generation, context.authority);
      const takesPictures = context.files.areKept;
      return (store) =>
        orderPage(store, { ...view, token, takesPictures, returned: false }, undefined);
    },
  }),
);
