import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { ConfirmationInput, ConfirmationReply } from '../../domain/confirmation/schemas.ts';
import { changeErrors, confirm } from '../../actions/confirmations/confirm-payment.ts';

export const createOrderConfirmation = endpoint({
  id: 'orders.confirm',
  route: ['POST /orders/:id/confirmations', 'POST /orders/:id/confirmation'],
  summary: 'Confirm the payment of an order',
  description: 'Does the same as `POST /confirmations`, with the order in the path.',
  access: apiKey('confirmations:write'),
  effect: 'write',
  everyday: true,
  params: IdParams,
  body: ConfirmationInput,
  reply: [201, ConfirmationReply],
  errors: ['order_not_payable', ...changeErrors],
}).handle(async ({ params, body, db, principal, now }) =>
  confirm(db, params.id, body, () => refuse('rest_not_found'), {
    actor: () => principal.actor,
    now,
  }),
);
