import { apiKey, endpoint } from '../../kernel/endpoint/declare.ts';
import { unknownReference } from '../../kernel/errors/errors.ts';
import { ConfirmationCreate, ConfirmationReply } from '../../domain/confirmation/schemas.ts';
import { changeErrors, confirm } from '../../actions/confirmations/confirm-payment.ts';

export const createConfirmation = endpoint({
  id: 'confirmations.create',
  route: ['POST /confirmations'],
  summary: 'Confirm a payment',
  description:
    'Reports that an unpaid order was paid; the order then waits for review. A new confirmation supersedes the pending one.',
  access: apiKey('confirmations:write'),
  effect: 'write',
  everyday: true,
  body: ConfirmationCreate,
  reply: [201, ConfirmationReply],
  errors: ['order_not_payable', ...changeErrors],
}).handle(async ({ body: { order_id, ...input }, db, principal, now }) =>
  confirm(db, order_id, input, () => unknownReference('order_id'), {
    actor: () => principal.actor,
    now,
  }),
);
