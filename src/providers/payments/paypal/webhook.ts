import * as z from 'zod';
import { textUpTo } from '../../../lib/schemas.ts';
import { ProviderId, understood } from '../../answers.ts';
import type { Callback } from '../../callback.ts';
import { Link } from './answers.ts';
import type { Api } from './api.ts';

const Name = ProviderId.optional().catch(undefined);

/** The ids in an event about an order, a capture, a refund or a dispute. */
const Event = z.object({
  resource_type: textUpTo(100).optional(),
  resource: z.object({
    id: Name,
    custom_id: Name,
    invoice_id: Name,
    purchase_units: z
      .array(z.object({ custom_id: Name, invoice_id: Name }))
      .optional()
      .catch(undefined),
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: Name, capture_id: Name }) })
      .optional()
      .catch(undefined),
    links: z.array(Link).optional().catch(undefined),
    disputed_transactions: z
      .array(z.object({ seller_transaction_id: Name, invoice_number: Name, custom: Name }))
      .optional()
      .catch(undefined),
  }),
});

const Verification = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) });

/** Headers of PayPal's proof: its certificate must be PayPal's own. */
const Proof = z.object({
  auth_algo: z.string().regex(/^[a-zA-Z0-9]{1,100}$/),
  cert_url: z
    .string()
    .max(500)
    .regex(/^https:\/\/([a-z0-9-]+\.)*paypal\.com\/[\w./-]+$/),
  transmission_id: z.string().regex(/^[\w-]{1,50}$/),
  transmission_sig: z.string().regex(/^[A-Za-z0-9+/=]{1,500}$/),
  transmission_time: z.iso.datetime({ offset: true }),
});

/** Days for which an event can be resent by hand. */
const longestKept = 30;

/** Seconds that PayPal's clock may be ahead. */
const drift = 300;

const proofOf = (callback: Callback) => ({
  auth_algo: callback.header('paypal-auth-algo'),
  cert_url: callback.header('paypal-cert-url'),
  transmission_id: callback.header('paypal-transmission-id'),
  transmission_sig: callback.header('paypal-transmission-sig'),
  transmission_time: callback.header('paypal-transmission-time'),
});

/** Tells if an event's proof has the form of PayPal's, and a plausible time. */
export function isPlausible(callback: Callback, now: Date): boolean {
  const { data: proof } = Proof.safeParse(proofOf(callback));
  if (!proof) return false;
  const age = (now.getTime() - Date.parse(proof.transmission_time)) / 1000;
  return age >= -drift && age <= longestKept * 86_400;
}

/**
 * Asks PayPal if it sent an event. The signature covers the bytes, so the text is passed on unchanged; it is valid
 * JSON, which makes that safe.
 */
export async function isSigned(callback: Callback, webhook_id: string, api: Api): Promise<boolean> {
  const proof = proofOf(callback);
  if (Object.values(proof).includes(undefined)) return false;
  const fields = JSON.stringify({ ...proof, webhook_id }).slice(0, -1);
  const json = await api('/v1/notifications/verify-webhook-signature', {
    body: `${fields},"webhook_event":${callback.text}}`,
    // PayPal answers malformed proofs with these, and its own proofs are never malformed.
    nothing: [400, 422],
  });
  return json !== undefined && understood(Verification, json).verification_status === 'SUCCESS';
}

/** Names the payments of an event: by its order, its capture, and the reference in both. */
export function hintsOf(json: unknown) {
  const { data: event } = Event.safeParse(json);
  if (!event) return [];
  const { resource_type, resource } = event;
  const { id, links = [], purchase_units = [], disputed_transactions = [] } = resource;
  const related = resource.supplementary_data?.related_ids;
  const orders = [resource_type === 'checkout-order' ? id : related?.order_id];
  const captures = [
    resource_type === 'capture' ? id : related?.capture_id,
    ...links.map(({ rel, href }) => (rel === 'up' ? captureIn.exec(href)?.[1] : undefined)),
    ...disputed_transactions.map((transaction) => transaction.seller_transaction_id),
  ];
  const references = [
    ...[resource, ...purchase_units].flatMap((each) => [each.custom_id, each.invoice_id]),
    ...disputed_transactions.flatMap((each) => [each.custom, each.invoice_number]),
  ];
  return [
    ...named(orders).map((provider_id) => ({ provider_id })),
    ...named(captures).map((payment_ref) => ({ payment_ref })),
    ...named(references).map((reference) => ({ reference })),
  ];
}

/** The link from a refund up to its capture. */
const captureIn = /\/v2\/payments\/captures\/([A-Z0-9]{1,64})$/;

const named = (names: readonly (string | undefined)[]) => [
  ...new Set(names.filter((name) => name !== undefined)),
];
