import * as z from 'zod';
import { type DomainEvent, defineEvents } from '../../kernel/events/define.ts';
import { stateChanged } from '../user/events.ts';
import type { Instant } from '../../lib/instant.ts';
import { grantsBeside, isLive, toAccess } from './rules.ts';
import { type Grant, type GrantRow } from '../../schema/access.ts';
import { Access } from './schemas.ts';

const payload = Access.extend({
  can_access: z
    .boolean()
    .describe('True if the user has access to the product now, through this grant or another.')
    .meta({ examples: [true] }),
}).meta({ id: 'AccessChange' });

export const accessEvent = defineEvents('access:read', {
  'access.granted': { summary: 'A grant started to give access to a product.', payload },
  'access.revoked': { summary: 'A grant stopped giving access before its end.', payload },
});

const isMoved = (before: Grant | undefined, after: Grant) =>
  before?.start !== after.start || before.end_active !== after.end_active;

/**
 * Returns the events of a grant's change.
 * @param grants may include the grant itself, and grants of other users or products
 */
export function accessEvents(
  before: Grant | undefined,
  after: GrantRow,
  grants: readonly Grant[],
  now: Instant,
): DomainEvent[] {
  const was = before !== undefined && isLive(before, now);
  const is = isLive(after.grant, now);
  if (was === is)
    return is && isMoved(before, after.grant) ? [stateChanged(after.grant.user_id, 'access')] : [];
  const others = grantsBeside(after.grant, grants);
  const can_access = is || others.some((grant) => isLive(grant, now));
  return [
    accessEvent(is ? 'access.granted' : 'access.revoked', {
      ...toAccess(after, now),
      can_access,
    }),
  ];
}
