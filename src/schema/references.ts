/** Ids that a record has in lists, by their parameter, and the tables that they refer to. */
export type References = Readonly<
  Record<
    string,
    {
      readonly of: 'products' | 'users' | 'user_groups';
      readonly ids: readonly number[] | undefined;
    }
  >
>;
