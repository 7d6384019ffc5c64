/** The ids in a record's lists, by parameter, and the tables that they refer to. */
export type References = Readonly<
  Record<
    string,
    {
      readonly of: 'products' | 'users' | 'user_groups';
      readonly ids: readonly number[] | undefined;
    }
  >
>;
