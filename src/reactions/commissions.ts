import { rowFrom } from '../kernel/database/records.ts';
import { userGroups } from '../schema/groups.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { reaction } from './reaction.ts';
import { ledgerEvents } from '../domain/commission/events.ts';
import { followOrder } from '../domain/commission/ledger-change.ts';
import { loadLedger, saveLedger } from '../queries/commissions.ts';
import { type Link, saleRows } from '../domain/commission/sales.ts';

/** The ledger follows every order: who earns from it when it is placed, how much at each change. */
export const commissions = reaction({
  errors: ['commission_paid'],
  load: loadLedger,
  decide: (change, { rows, chains, recent, ids }) => {
    const { before, after, now } = change;
    const chain = chains.rows
      .filter(({ root }) => Number(root) === after.affiliate_id)
      .map((row): Link => {
        const { tier, sales, commission_id } = row;
        const group = row.person.group && rowFrom(userGroups, row.person.group);
        const person = { ...row.person, group };
        return { tier, person, sales: Number(sales), commission_id: Number(commission_id) };
      });
    const earns = before?.affiliate_id !== after.affiliate_id;
    const sales = earns ? saleRows(change, chain, recent) : [];
    const adjustmentIds = ids.rows.map(({ id }) => Number(id));
    const outcome = followOrder(change, rows, sales, adjustmentIds);
    if (isRefusal(outcome)) return outcome;
    return {
      write: saveLedger(after.id, rows, outcome),
      events: ledgerEvents(rows, outcome, now),
    };
  },
});
