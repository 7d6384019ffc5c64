import type { PgTable } from 'drizzle-orm/pg-core';
import type * as schema from './index.ts';
import type { NotPersonalColumns, deleted, erased, kept, notExported } from './personal.ts';

// The types that hold the lists of `personal.ts` to the tables: each column is on one of them.

/** Tables of people that a person's export must have. */
export type Exported = Exclude<OfPeople, keyof typeof notExported>;

/** Tables with personal columns, or with the id of a user. */
export type OfPeople =
  | (typeof deleted)[number]
  | keyof typeof erased
  | keyof typeof kept
  | {
      [T in TableName]: Extract<keyof Tables[T]['$inferSelect'], UserColumn> extends never
        ? never
        : T;
    }[TableName];

type UserColumn = 'user_id' | 'affiliate_id' | 'buyer_id';

type Tables = typeof schema;

export type TableName = {
  [T in keyof Tables]: Tables[T] extends PgTable ? T : never;
}[keyof Tables];

/** Tables that are listed column by column. */
export type Listed = Exclude<TableName, (typeof deleted)[number]>;

type Row<T extends Listed> = Tables[T]['$inferSelect'];
type Column<T extends Listed> = keyof Row<T> & string;

/** The keys of a document of a known shape, by its column: `shipping.phone`. */
type Key<T extends Listed, C extends Column<T>> = `${C}.${KnownKeys<Row<T>[C]>}`;

type KnownKeys<V> = V extends readonly unknown[]
  ? never
  : V extends object
    ? string extends keyof V
      ? never
      : keyof V & string
    : never;

/** The names that may be on a list. */
export type Name<T extends Listed> = { [C in Column<T>]: C | Key<T, C> }[Column<T>];

type Words<T extends string> = T extends `${infer First} ${infer Rest}` ? First | Words<Rest> : T;

/** Requires every table, and accepts no unknown name. */
export type Checked<
  L extends { [T in Listed]: string } & { [T in keyof L]: T extends Listed ? Name<T> : never },
> = L;

export type NotPersonal = Checked<{
  [T in keyof NotPersonalColumns]: Words<NotPersonalColumns[T]>;
}>;

type Staying<T extends Listed> =
  | NotPersonal[T]
  | (T extends keyof typeof kept ? keyof (typeof kept)[T] : never);

/** Documents that are erased as a whole. */
interface WholeDocuments {
  users: 'bank_account';
  payoutLines: 'account';
}

/** The erased names: the column, or the keys of its document. */
type Leaving<T extends Listed> = {
  [C in Column<T>]: C extends Staying<T>
    ? never
    : C extends WholeDocuments[T & keyof WholeDocuments]
      ? C
      : Exclude<[Key<T, C>] extends [never] ? C : Key<T, C>, Staying<T>>;
}[Column<T>];

/** The replacements of all erased columns. */
export type Erased = {
  [T in Listed as [Leaving<T>] extends [never] ? never : T]: {
    [N in Leaving<T>]: N extends Column<T> ? Row<T>[N] : '' | null;
  };
};
