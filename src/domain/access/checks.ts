import { addPeriod } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import { type Moment, byWorth, isLive, never, startDay, wasGiven } from './rules.ts';
import type { Grant, ContentRow } from '../../schema/access.ts';
import type { Block, Verdict, VerdictReason } from './schemas.ts';

export interface Question extends Moment {
  readonly user: { readonly id: number; readonly status: string };
  /** The product to use, or the products that open the content. */
  readonly product_ids: readonly [number, ...number[]];
  readonly grants: readonly Grant[];
  readonly content?: ContentRow;
}

export interface Finding {
  readonly reason: VerdictReason;
  /** Of several products: the missing one, or the one that opens last. */
  readonly product_id: number;
  readonly grant: Grant | undefined;
  readonly available_at: Instant | null;
  readonly matched_product_ids: readonly number[];
}

/**
 * Returns the first reason that applies: the user is blocked, the content isn't published, there is no grant, all
 * grants are revoked, no grant is live, the content isn't open yet. If a content requires all of its products, each of
 * them must pass.
 */
export function findAccess(question: Question): Finding {
  const { user, content, product_ids, now } = question;
  const [product_id] = product_ids;
  const none = { product_id, grant: undefined, available_at: null, matched_product_ids: [] };
  if (user.status === 'blocked') return { ...none, reason: 'user-blocked' };
  if (content?.status === 'draft') return { ...none, reason: 'not-published' };
  const grants = question.grants.filter((grant) => wasGiven(grant, now)).sort(byWorth(now));
  const live = grants.filter((grant) => isLive(grant, now));
  const matched_product_ids = product_ids.filter((id) =>
    live.some(({ product_id }) => product_id === id),
  );
  const groups =
    content?.match === 'all'
      ? product_ids.map((id) => ({ id, grants: grants.filter((grant) => grant.product_id === id) }))
      : [{ id: product_id, grants }];
  const stopped =
    stoppedAt('not-bought', groups, () => true) ??
    stoppedAt('revoked', groups, ({ status }) => status !== 'revoked') ??
    stoppedAt('expired', groups, (grant) => isLive(grant, now));
  if (stopped) return { ...none, ...stopped, matched_product_ids };
  return { ...opening(question, groups), matched_product_ids };
}

/** Alternative grants; `id` is the product to name if there are none. */
interface Group {
  readonly id: number;
  readonly grants: readonly Grant[];
}

function stoppedAt(
  reason: VerdictReason,
  groups: readonly Group[],
  passes: (grant: Grant) => boolean,
) {
  const failing = groups.find(({ grants }) => !grants.some(passes));
  if (!failing) return undefined;
  const [grant] = failing.grants;
  return { reason, grant, product_id: grant?.product_id ?? failing.id };
}

/** Finds when the content opens, by the best grant of each group. */
function opening({ content, product_ids, now, timezone }: Question, groups: readonly Group[]) {
  const [latest] = groups
    .flatMap(({ grants }) => {
      const opens = grants
        .filter((grant) => isLive(grant, now))
        .map((grant) => ({ grant, at: opensAt(grant, content, timezone) }));
      const soonest = [...opens].sort((a, b) => a.at.localeCompare(b.at))[0];
      return opens.find(({ at }) => at <= now) ?? soonest ?? [];
    })
    .sort((a, b) => b.at.localeCompare(a.at));
  const at = [latest?.at ?? now, content?.release_at ?? ''].sort().at(-1) ?? now;
  return {
    reason: at > now ? ('drip-content' as const) : ('ok' as const),
    product_id: latest?.grant.product_id ?? product_ids[0],
    grant: latest?.grant,
    available_at: content ? at : null,
  };
}

const opensAt = ({ start }: Grant, content: ContentRow | undefined, timezone: string): Instant =>
  addPeriod(start ?? never, content?.drip_day ?? 0, 'daily', timezone);

export function toVerdict(question: Question, finding: Finding, block: Block | null): Verdict {
  const { user, content } = question;
  const { reason, product_id, grant, available_at, matched_product_ids } = finding;
  return {
    success: true,
    can_access: reason === 'ok',
    reason,
    product_id,
    user_id: user.id,
    detail: {
      grant_id: grant?.id ?? null,
      order_id: grant?.order_id ?? null,
      start: grant?.start ?? null,
      start_day: grant ? startDay(grant, question) : null,
      end_active: grant?.end_active ?? null,
      available_at,
      drip_day: content?.drip_day ?? null,
      matched_product_ids: [...matched_product_ids],
      block,
    },
  };
}
