import type { Instant } from '../../../../src/exports/store.ts';
import { unescaped } from '../html-text.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignPerson, keptAddress, nobody } from './person.ts';
import type { Source } from '../source.ts';
import { type Sponsorship, type Upline, sponsorsFirst } from '../sponsors.ts';
import type { Staging } from '../staging.ts';
import { emailOf, utcOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { areUnreadable, rolesOf } from '../wordpress-roles.ts';

interface AccountRules {
  readonly upline: Upline;
  /** Tells if an account keeps an address that others have too. */
  readonly holds: (id: number, email: string) => boolean;
  /** True for an affiliate of another plugin. */
  readonly sells?: (id: number) => boolean;
  readonly keepsAdministrators: boolean;
  /** The shop's software, for `meta.import`. */
  readonly source: string;
  readonly now: Instant;
}

export interface Account {
  readonly id: number;
  readonly meta: ReadonlyMap<string, string>;
  readonly person: ForeignPerson;
  readonly facts: Readonly<Partial<Record<Reason, boolean>>>;
}

/** The accounts of a shop, sponsors before those they sponsor. */
export function* accountsOf(staging: Staging<Source>, keeping: AccountRules): Generator<Account> {
  const metaOf = metaReader(staging, 'usermeta', 'user_id');
  const select = staging.database.prepare('select * from users where ID = ?');
  for (const sponsored of sponsorsFirst(keeping.upline)) {
    const row = select.get(String(sponsored.id)) as Readonly<Record<string, string | null>>;
    const meta = metaOf(sponsored.id);
    const capabilities = meta.get(`${staging.facts.prefix}capabilities`);
    yield accountOf(row, meta, capabilities, { ...keeping, ...sponsored });
  }
}

function accountOf(
  row: Readonly<Record<string, string | null>>,
  meta: ReadonlyMap<string, string>,
  capabilities: string | undefined,
  { id, sponsorId, reason, ...keeping }: AccountRules & Sponsorship,
): Account {
  const email = emailOf(row['user_email'] ?? null);
  const isHolder = email !== null && keeping.holds(id, email);
  const held = rolesOf(capabilities, keeping.sells?.(id));
  const isReduced = held.includes('administrator') && !keeping.keepsAdministrators;
  const own = isHolder ? email : null;
  const person = {
    ...nobody,
    id,
    email: own,
    firstName: unescaped(meta.get('first_name') ?? ''),
    lastName: unescaped(meta.get('last_name') ?? ''),
    displayName: unescaped(row['display_name'] ?? ''),
    sponsorId,
    roles: isReduced ? held.filter((role) => role !== 'administrator') : held,
    externalIds: { wordpress: String(id) },
    origin: { source: keeping.source, ...keptAddress(own, row['user_email']) },
    createdAt: utcOf(row['user_registered'] ?? null) ?? keeping.now,
  };
  const facts = {
    ...(reason ? { [reason]: true } : {}),
    'email-impossible': email === null,
    'email-taken': email !== null && !isHolder,
    'group-missing': false,
    administrator: isReduced,
    'unreadable-details': areUnreadable(capabilities),
  };
  return { id, meta, person, facts };
}
