import { refuse } from '../../http/errors.ts';
import { sendIf } from '../../db/statements.ts';
import { hasChain, orderEffect } from '../orders/effect.ts';
import { newCode } from './codes.ts';
import { licenseEvent } from './events.ts';
import { exceedsLicenses, following, issued, issues } from './lifecycle.ts';
import { drawIds, findChain, insertLicenses, saveChain } from './queries.ts';
import { toLicense } from './rules.ts';

/**
 * The first order of a chain that is completed issues its licences; each order that is completed adds
 * its term to them, and one that is given back takes its term away.
 */
export const licenseEffect = orderEffect({
  name: 'licenses',
  errors: ['license_quantity'],
  load: (target) => ({
    chain: sendIf(hasChain(target), () => findChain(target)),
    ids: drawIds(target),
  }),
  decide: ({ before, after, product, now }, { chain, ids }) => {
    const moved = before?.status !== after.status;
    const issuing = moved && issues(after, product, chain);
    const asked = issuing || before?.quantity !== after.quantity;
    if (asked && exceedsLicenses(product, after.quantity)) return refuse('license_quantity');
    if (!moved) return { write: [] };
    const { expires_days } = product.license;
    const changed = chain.flatMap((row) => {
      const next = following(row, after, expires_days, now);
      return next === row ? [] : [{ row: next, moved: next.license.status !== row.license.status }];
    });
    const drawn = ids.rows.map(({ id }) => ({ id: Number(id), code: newCode() }));
    const made = issuing ? issued(after, product, drawn, now) : [];
    return {
      write: [
        ...saveChain(
          changed.map(({ row }) => row),
          after.id,
        ),
        ...insertLicenses(made),
      ],
      events: [
        ...made.map((row) => licenseEvent('license.created', toLicense(row, now))),
        ...changed
          .filter(({ moved }) => moved)
          .map(({ row }) => licenseEvent('license.status-updated', toLicense(row, now))),
      ],
    };
  },
});
