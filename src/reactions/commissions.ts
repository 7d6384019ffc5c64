import { rowFrom } from '../kernel/database/records.ts';
import { userGroups } from '../schema/groups.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { ledgerEvents } from '../domain/commission/events.ts';
import { concernsEarnings, followOrder } from '../domain/commission/ledger-change.ts';
import { followRisks } from '../domain/commission/order-risks.ts';
import { isBelowVelocity } from '../domain/risk/kinds/velocity.ts';
import { riskEvent } from '../domain/risk/events.ts';
import { type ChainRow, loadLedger, saveLedger } from '../queries/commissions.ts';
import {
  findRisksOfTarget,
  holdRecent,
  holdRisks,
  saveFormerRisks,
  saveFoundRisks,
} from '../queries/risks.ts';
import { type Link, findingsOfSale, saleRows } from '../domain/commission/sales.ts';

function linkOf({ sales, commission_id, ...row }: ChainRow): Link {
  const group = row.person.group && rowFrom(userGroups, row.person.group);
  return {
    ...row,
    person: { ...row.person, group },
    sales: Number(sales),
    commission_id: Number(commission_id),
  };
}

/** Updates an order's affiliates, their amounts and its risks. */
export const commissions = reaction({
  errors: ['commission_paid'],
  load: (target: OrderTarget) => ({ ...loadLedger(target), risks: findRisksOfTarget(target) }),
  decide: (change, { rows, chains, ids, risks: existing }) => {
    const { before, after, now } = change;
    const links = chains.rows.filter(({ root }) => Number(root) === after.affiliate_id);
    const chain = links.map(linkOf);
    const first = links.find(({ tier }) => tier === 1);
    const earns = before?.affiliate_id !== after.affiliate_id;
    const sales = earns ? saleRows(change, chain) : [];
    const risks = followRisks(change, existing, {
      found: findingsOfSale(change, sales, chain),
      pairs: links.flatMap(({ pairs }) => pairs),
      ids: links.flatMap(({ risk_ids }) => risk_ids),
    });
    const flagged = sales.map((sale) => {
      const found = risks.flags.filter(({ tier }) => tier === sale.tier);
      return { ...sale, flags: [...new Set(found.map(({ kind }) => kind))] };
    });
    const adjustmentIds = ids.rows.map(({ id }) => Number(id));
    const outcome = followOrder(change, rows, flagged, adjustmentIds, risks.after);
    if (isRefusal(outcome)) return outcome;
    const isUntouched = outcome.changed.length + outcome.added.length === 0;
    if (isUntouched && !concernsEarnings(change)) return { write: [] };
    return {
      write: [
        ...(first && sales.length > 0 && isBelowVelocity({ ...change, recent: first.recent })
          ? holdRecent(after, first.recent.length)
          : []),
        ...holdRisks([after.id], existing),
        ...saveFormerRisks(after.id, risks),
        ...saveLedger(after.id, rows, outcome),
        ...saveFoundRisks(risks, now),
      ],
      events: [
        ...ledgerEvents(rows, outcome, now),
        ...risks.added.map((risk) => riskEvent('risk.found', risk)),
      ],
    };
  },
});
