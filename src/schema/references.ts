/** Ids that a record names in lists, by the parameter they are sent in, and of which table they are. */
export type References = Readonly<
  Record<
    string,
    {
      readonly of: 'products' | 'users' | 'user_groups';
      readonly ids: readonly number[] | undefined;
    }
  >
>;
