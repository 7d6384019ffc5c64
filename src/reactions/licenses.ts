import { refuse } from '../kernel/errors/errors.ts';
import { sendIf } from '../kernel/database/statements.ts';
import { type OrderChange, hasChain } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { newCode } from '../domain/license/codes.ts';
import { stateChanged } from '../domain/user/events.ts';
import { licenseEvent } from '../domain/license/events.ts';
import {
  exceedsLicenses,
  following,
  followingPlan,
  issued,
  issues,
} from '../domain/license/lifecycle.ts';
import { drawIds, findChain, insertLicenses, saveChain } from '../queries/licenses.ts';
import { isLaterInstalment } from '../domain/order/instalment.ts';
import type { ChangedChain } from '../domain/subscription/chain.ts';
import { type LicenseRow, toLicense } from '../domain/license/rules.ts';
import { changesValidity } from '../domain/license/verdicts.ts';
import type { SubscriptionColumns } from '../schema/subscriptions.ts';

/** The subscription of a chain, before and after a change of an order. */
interface Run {
  readonly subscription: SubscriptionColumns | undefined;
  readonly changed: ChangedChain | undefined;
}

/** Tells if licences become usable or unusable with their order or subscription, without a change of their own. */
const orderChangesValidity = (
  { before, after, now }: OrderChange,
  chain: readonly LicenseRow[],
  { subscription, changed }: Run,
): boolean =>
  chain.some((row) => {
    const isOwn = row.license.order_id === after.id;
    const was = {
      order_status: (isOwn && before?.status) || null,
      subscription: subscription ?? null,
    };
    const is = {
      order_status: isOwn ? after.status : null,
      subscription: changed?.subscription ?? null,
    };
    return changesValidity({ ...row, ...was }, { ...row, ...is }, now);
  });

/**
 * The first completed order of a chain issues its licences. Each completed order adds its term, and a refund removes
 * it.
 */
export const licenses = reaction({
  errors: ['license_quantity'],
  load: (target) => ({
    chain: sendIf(hasChain(target), () => findChain(target)),
    ids: drawIds(target),
  }),
  decide: (change, { chain, ids }, run: Run) => {
    const { before, after, product, now } = change;
    const moved = before?.status !== after.status;
    const issuing = moved && issues(after, product, chain) && !isLaterInstalment(after);
    const resized = before?.quantity !== after.quantity;
    const asked = issuing || resized;
    if (asked && exceedsLicenses(product, after.quantity)) return refuse('license_quantity');
    if (before && resized && chain.some(({ license }) => license.ordinal !== null)) {
      return refuse('license_quantity', {
        message: 'The licences of this order are issued. Place a new order for another quantity.',
      });
    }
    if (!moved) return { write: [] };
    const { expires_days } = product.license;
    const heir = run.changed?.heir;
    const followed = chain.flatMap((row) => {
      const next = after.agreed.plan
        ? followingPlan(row, after, heir, expires_days, now)
        : following(row, after, expires_days, now);
      return next === row ? [] : [{ row: next, moved: next.license.status !== row.license.status }];
    });
    const drawn = ids.rows.map(({ id }) => ({ id: Number(id), code: newCode() }));
    const made = issuing ? issued(after, product, drawn, now) : [];
    return {
      write: [
        ...saveChain(
          followed.map(({ row }) => row),
          after.id,
          heir,
        ),
        ...insertLicenses(made),
      ],
      events: [
        ...made.map((row) => licenseEvent('license.created', toLicense(row, now))),
        ...followed
          .filter(({ moved }) => moved)
          .map(({ row }) => licenseEvent('license.status-updated', toLicense(row, now))),
        ...(followed.length > 0 || orderChangesValidity(change, chain, run)
          ? [stateChanged(after.user_id, 'licenses')]
          : []),
      ],
    };
  },
});
