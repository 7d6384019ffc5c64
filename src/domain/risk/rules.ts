import type { Actor } from '../../kernel/auth/actor.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';
import type { RiskStatus } from '../../schema/lists.ts';
import type { RiskColumns } from '../../schema/risks.ts';
import type { Finding } from './finding.ts';
import type { Risk, RiskDecision } from './schemas.ts';

export interface TierRisk {
  readonly tier: number;
  readonly status: RiskStatus;
}

/** Tier 1 stands for all tiers. */
export const isCovered = (risks: readonly TierRisk[], tier: number, status: RiskStatus): boolean =>
  risks.some((risk) => risk.status === status && (risk.tier === 1 || risk.tier === tier));

/** An erased person has no e-mail address. */
interface Suspected {
  readonly id: number;
  readonly display_name: string;
  readonly email: string | null;
  readonly phone: string;
  readonly bank_info: string;
  readonly status: string;
}

export interface RiskRow {
  readonly risk: RiskColumns;
  readonly affiliate: Suspected;
  readonly other: Suspected;
  readonly orders: readonly number[];
  readonly commission: number;
}

export function toRisk({ risk, affiliate, other, orders, commission }: RiskRow): Risk {
  const isGone = [affiliate, other].some(({ status }) => status === 'anonymised');
  const shown = (person: Suspected) => ({ ...person, email: person.email ?? '' });
  return {
    ...risk,
    evidence: isGone
      ? null
      : { affiliate: shown(affiliate), other: shown(other), orders: [...orders], commission },
  };
}

export const newRisk = (
  { kind, tier, affiliate_id, other_id }: Finding,
  order_id: number,
  status: RiskStatus,
  id: number,
  now: Date,
): RiskColumns => ({
  id,
  kind,
  affiliate_id,
  other_id,
  order_id,
  tier,
  status,
  trusted: false,
  note: null,
  decided_at: null,
  decided_by_type: null,
  decided_by: null,
  ...firstVersion(now.toISOString()),
});

export const riskIn = (risk: RiskColumns, status: RiskStatus, now: Date): RiskColumns => ({
  ...risk,
  status,
  ...nextVersion(risk, now),
});

/** Returns the same risk if nothing changes. */
export function decidedRisk(
  risk: RiskColumns,
  { decision, trust, note }: RiskDecision,
  actor: Actor,
  now: Date,
): RiskColumns | Refusal<'risk_void'> {
  if (risk.status === 'void') return refuse('risk_void');
  const status = decision === 'clear' ? 'cleared' : 'confirmed';
  const trusted = status === 'cleared' && (trust ?? risk.trusted);
  const after = { ...risk, status, trusted, note: note === undefined ? risk.note : note } as const;
  const isSame = risk.status === status && risk.trusted === trusted && risk.note === after.note;
  if (isSame) return risk;
  return {
    ...after,
    decided_at: now.toISOString(),
    decided_by_type: actor.type,
    decided_by: actor.id,
    ...nextVersion(risk, now),
  };
}
