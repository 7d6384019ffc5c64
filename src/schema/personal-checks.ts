import type { PgTable } from 'drizzle-orm/pg-core';
import type * as schema from './index.ts';

// The types by which the lists of personal data are held to the tables: `personal.ts` names each column once.

type Tables = typeof schema;

export type TableName = {
  [T in keyof Tables]: Tables[T] extends PgTable ? T : never;
}[keyof Tables];

type Row<T extends TableName> = Tables[T]['$inferSelect'];
type Column<T extends TableName> = keyof Row<T> & string;

/** The keys of a document of a known shape, by its column: `shipping.phone`. */
type Key<T extends TableName, C extends Column<T>> = `${C}.${KnownKeys<Row<T>[C]>}`;

type KnownKeys<V> = V extends readonly unknown[]
  ? never
  : V extends object
    ? string extends keyof V
      ? never
      : keyof V & string
    : never;

/** The names that may be on a list. */
export type Name<T extends TableName> = { [C in Column<T>]: C | Key<T, C> }[Column<T>];

/** The names in a text, which spaces separate. */
export type Words<T extends string> = T extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : T;

/** Documents that are erased as a whole. */
interface WholeDocuments {
  users: 'bank_account';
  payoutLines: 'account';
}

/** The erased names of a table: the columns that don't stay, or the keys of their documents. */
type Leaving<T extends TableName, Staying> = {
  [C in Column<T>]: C extends Staying
    ? never
    : C extends WholeDocuments[T & keyof WholeDocuments]
      ? C
      : Exclude<[Key<T, C>] extends [never] ? C : Key<T, C>, Staying>;
}[Column<T>];

/** The replacements of all erased columns. */
export type Replacements<Staying extends { [T in keyof Staying]: string }> = {
  [T in keyof Staying & TableName as [Leaving<T, Staying[T]>] extends [never] ? never : T]: {
    [N in Leaving<T, Staying[T]>]: N extends Column<T> ? Row<T>[N] : '' | null;
  };
};

type UserColumn = 'user_id' | 'affiliate_id' | 'buyer_id';

/** Tables with the id of a user. */
export type WithUser = {
  [T in TableName]: Extract<keyof Row<T>, UserColumn> extends never ? never : T;
}[TableName];
