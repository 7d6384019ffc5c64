import type { Statements, Write } from '../../db/statements.ts';
import type { DomainEvent } from '../../events/define.ts';
import { type ErrorCode, type Refusal, isRefusal } from '../../http/errors.ts';
import { accessEffect } from '../access/order-effect.ts';
import { commissionEffect } from '../commissions/order-effect.ts';
import { confirmationEffect } from '../confirmations/order-effect.ts';
import { couponEffect } from '../coupons/order-effect.ts';
import { groupEffect } from '../groups/order-effect.ts';
import { licenseEffect } from '../licenses/order-effect.ts';
import { payableEffect } from '../payments/order-effect.ts';
import { refundEffect } from '../refunds/order-effect.ts';
import { reminderEffect } from '../reminders/order-effect.ts';
import type { Consequence, OrderChange, OrderEffect, OrderTarget } from './effect.ts';

/** The areas that follow from orders, in the order their rows are written. */
const registry = [
  couponEffect,
  payableEffect,
  confirmationEffect,
  refundEffect,
  commissionEffect,
  groupEffect,
  accessEffect,
  licenseEffect,
  reminderEffect,
] as const;

/** A code that some effect refuses with. */
export type EffectCode = (typeof registry)[number]['errors'][number];

/** What effects refuse with; every endpoint that changes orders declares these. */
export const effectErrors: readonly EffectCode[] = registry.flatMap(
  ({ errors }): readonly EffectCode[] => errors,
);

// Each effect's statements and rows belong together by its name; the compiler can't follow that.
const effects = registry as unknown as readonly OrderEffect<Statements, EffectCode & ErrorCode>[];

/** What every effect needs to know, to be loaded beside the order. */
export function loadEffects(target: OrderTarget): Statements {
  return Object.fromEntries(
    effects.flatMap((effect) =>
      Object.entries(effect.load(target)).map(([name, statement]) => [
        `${effect.name}.${name}`,
        statement,
      ]),
    ),
  );
}

/** What follows from a change, or the first refusal. */
export function decideEffects(
  change: OrderChange,
  loaded: Readonly<Record<string, unknown>>,
): Required<Consequence<EffectCode>> | Refusal<EffectCode> {
  const write: Write<EffectCode>[] = [];
  const events: DomainEvent[] = [];
  for (const effect of effects) {
    const prefix = `${effect.name}.`;
    const own = Object.entries(loaded)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, rows]) => [name.slice(prefix.length), rows]);
    const consequence = effect.decide(change, Object.fromEntries(own));
    if (isRefusal(consequence)) return consequence;
    write.push(...consequence.write);
    events.push(...(consequence.events ?? []));
  }
  return { write, events };
}
