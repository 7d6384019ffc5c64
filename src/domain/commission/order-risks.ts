import type { OrderChange } from '../order/change.ts';
import { type Finding, isOfPair } from '../risk/finding.ts';
import { type TierRisk, newRisk, riskIn } from '../risk/rules.ts';
import type { RiskStatus } from '../../schema/lists.ts';
import type { RiskColumns, RiskOrderColumns } from '../../schema/risks.ts';
import { phaseOf } from './ledger-change.ts';

export interface OrderRisk {
  readonly risk: RiskColumns;
  readonly tier: number;
}

export interface PairRisk {
  readonly id: number;
  readonly version: number;
  readonly kind: string;
  readonly status: RiskStatus;
  readonly affiliate_id: number;
  readonly other_id: number;
}

export interface RiskChange {
  readonly added: readonly RiskColumns[];
  readonly changed: readonly { readonly before: RiskColumns; readonly after: RiskColumns }[];
  /** Open risks of pairs that now include this order. */
  readonly joined: readonly PairRisk[];
  readonly tiers: readonly RiskOrderColumns[];
  /** True if the order now counts for other affiliates. Its previous risks then leave it. */
  readonly isDropped: boolean;
  readonly after: readonly TierRisk[];
  /** The kinds of risks that its sales are flagged with. */
  readonly flags: readonly Pick<Finding, 'tier' | 'kind'>[];
}

interface Findings {
  readonly found: readonly Finding[];
  readonly pairs: readonly PairRisk[];
  readonly ids: readonly number[];
}

export function followRisks(
  change: OrderChange,
  existing: readonly OrderRisk[],
  findings: Findings,
): RiskChange {
  const { before, after, now } = change;
  const isDropped = before !== null && before.affiliate_id !== after.affiliate_id;
  const moved = existing.map(({ risk, tier }) => {
    const status = statusAfter(risk, change, isDropped);
    return { tier, before: risk, after: status === risk.status ? risk : riskIn(risk, status, now) };
  });
  const news = newRisks(change, findings);
  const kept = isDropped ? [] : moved.map(({ tier, after: { status } }) => ({ tier, status }));
  return {
    ...news,
    changed: moved.filter(({ before: from, after: to }) => from !== to),
    isDropped: isDropped && existing.length > 0,
    after: [...kept, ...news.after],
  };
}

function statusAfter(
  { kind, status }: RiskColumns,
  { before, after }: OrderChange,
  isDropped: boolean,
): RiskStatus {
  if (isOfPair(kind) || before === null) return status;
  const ends = phaseOf(after) === 'ended';
  if (status === 'open' && (isDropped || ends)) return 'void';
  return status === 'void' && phaseOf(before) === 'ended' && !ends && !isDropped ? 'open' : status;
}

function newRisks({ after, now }: OrderChange, { found, pairs, ids }: Findings) {
  const status = phaseOf(after) === 'ended' ? 'void' : 'open';
  const added: RiskColumns[] = [];
  const joined: PairRisk[] = [];
  const tiers: RiskOrderColumns[] = [];
  const flagged: (Finding & TierRisk)[] = [];
  for (const finding of found) {
    const isPair = isOfPair(finding.kind);
    const known = isPair ? pairs.findLast((pair) => isSamePair(pair, finding)) : undefined;
    if (known?.status === 'cleared') continue;
    let risk: PairRisk | undefined = isPair
      ? (known?.status === 'open' && known) || added.find((other) => isSamePair(other, finding))
      : undefined;
    if (risk && risk === known && !joined.includes(risk)) joined.push(risk);
    if (!risk) {
      const id = ids[added.length];
      if (id === undefined) throw new Error('Too few ids were drawn for the risks.');
      const made = newRisk(finding, after.id, isPair ? 'open' : status, id, now);
      added.push(made);
      risk = made;
    }
    tiers.push({ risk_id: risk.id, order_id: after.id, tier: finding.tier });
    flagged.push({ ...finding, status: risk.status });
  }
  return { added, joined, tiers, after: flagged, flags: flagged };
}

const isSamePair = (
  a: Pick<PairRisk, 'kind' | 'affiliate_id' | 'other_id'>,
  b: Pick<PairRisk, 'kind' | 'affiliate_id' | 'other_id'>,
): boolean =>
  a.kind === b.kind &&
  Math.min(a.affiliate_id, a.other_id) === Math.min(b.affiliate_id, b.other_id) &&
  Math.max(a.affiliate_id, a.other_id) === Math.max(b.affiliate_id, b.other_id);
