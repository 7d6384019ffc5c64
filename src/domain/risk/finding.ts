import { type RiskKind, pairKinds } from '../../schema/lists.ts';
import { otherAccount } from './kinds/other-account.ts';
import { sameBank } from './kinds/same-bank.ts';
import { selfEmail } from './kinds/self-email.ts';
import { selfPhone } from './kinds/self-phone.ts';
import { sharedBank } from './kinds/shared-bank.ts';
import type { Suspect } from './kinds/suspect.ts';
import { velocity } from './kinds/velocity.ts';

const rules = [selfEmail, selfPhone, sameBank, sharedBank, otherAccount, velocity];

export interface Finding {
  readonly kind: RiskKind;
  readonly tier: number;
  readonly affiliate_id: number;
  readonly other_id: number;
}

/** A cleared risk with trust: it suppresses further risks with this person or of this kind. */
export interface Trust {
  readonly kind: RiskKind;
  readonly other_id: number;
}

/** Kinds of risks in which the buyer may be the affiliate. */
const selfKinds: readonly RiskKind[] = ['self-email', 'self-phone', 'same-bank'];

/** Tells if a kind is about a pair of affiliates. A pair has one such risk at a time. */
export const isOfPair = (kind: RiskKind): boolean =>
  (pairKinds as readonly RiskKind[]).includes(kind);

/** Trust holds for one person; for a shared bank account and the pace of orders it holds for everybody. */
const isTrusted = (trusts: readonly Trust[], kind: RiskKind, other_id: number): boolean =>
  trusts.some((trust) => {
    if (kind === 'velocity' || kind === 'shared-bank') return trust.kind === kind;
    const isOfKind = selfKinds.includes(kind)
      ? selfKinds.includes(trust.kind)
      : trust.kind === kind;
    return isOfKind && trust.other_id === other_id;
  });

export const findingsOf = (suspect: Suspect, trusts: readonly Trust[]): Finding[] =>
  rules.flatMap(({ kind, find }) =>
    find(suspect)
      .filter(({ id }) => !isTrusted(trusts, kind, id))
      .map(({ id }) => ({
        kind,
        tier: suspect.tier,
        affiliate_id: suspect.affiliate.id,
        other_id: id,
      })),
  );
