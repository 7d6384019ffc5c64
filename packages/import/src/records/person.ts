import {
  type Instant,
  type UserRole,
  displayNameOf,
  erased,
  userExternalIds,
  users,
  shopManagerId,
} from '../../../../src/exports/store.ts';
import { type ImportedRow, type NewRow, insertInto } from '../mapped.ts';

export interface ForeignPerson {
  readonly id: number;
  /** As `emailOf` returns it; nobody else has it. */
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly phone: string;
  readonly address: string;
  readonly postalCode: string;
  /** ISO 3166-1, empty if unknown. */
  readonly country: string;
  readonly bankInfo: string;
  readonly sponsorId: number | null;
  readonly groupId: number | null;
  readonly roles: readonly UserRole[];
  /** Ids in other systems: `{ wordpress: '12' }`. */
  readonly externalIds: Readonly<Record<string, string>>;
  /** Fields without a column of their own, for `meta.import`. */
  readonly origin: Readonly<Record<string, unknown>>;
  readonly createdAt: Instant;
}

export function personRows(person: ForeignPerson): NewRow[] {
  const { id, country } = person;
  const names = {
    first_name: cut(person.firstName, 100),
    last_name: cut(person.lastName, 100),
    display_name: cut(person.displayName, 200),
  };
  return [
    insertInto(users, {
      id,
      email: person.email,
      phone: cut(person.phone, 32),
      ...names,
      display_name: displayNameOf(names, id),
      address: cut(person.address, 500),
      postal_code: cut(person.postalCode, 20),
      country: /^[A-Z]{2}$/.test(country) ? country : '',
      bank_info: cut(person.bankInfo, 500),
      affiliate_id: person.sponsorId,
      group_id: person.groupId,
      roles: [...person.roles],
      staff_role_id: person.roles.includes('shop-manager') ? shopManagerId : null,
      meta: { import: person.origin },
      created_at: person.createdAt,
      updated_at: person.createdAt,
    }),
    ...Object.entries(person.externalIds).map(([provider, external_id]) =>
      insertInto(userExternalIds, { user_id: id, provider, external_id }),
    ),
  ];
}

/** A deleted person whom other rows name, stored as the service stores erased users. */
export const erasedPerson = (id: number, at: Instant): ImportedRow => ({
  rows: [
    insertInto(users, {
      id,
      ...erased.users,
      roles: ['member'],
      status: 'anonymised',
      created_at: at,
      updated_at: at,
    }),
  ],
  targets: [id],
  outcome: 'placeholder',
  reasons: ['deleted-in-source'],
});

/** The defaults of a person's fields. */
export const nobody = {
  ...{ firstName: '', lastName: '', displayName: '', phone: '', address: '', postalCode: '' },
  ...{ country: '', bankInfo: '', sponsorId: null, groupId: null, externalIds: {} },
  roles: ['member'],
} as const satisfies Partial<ForeignPerson>;

/** Returns the address for `meta.import` if the store could not take it as the person's own. */
export const keptAddress = (email: string | null, said: string | null | undefined) =>
  email === null && said?.trim() ? { email: cut(said, 500) } : {};

const cut = (text: string, most: number) => text.trim().slice(0, most);
