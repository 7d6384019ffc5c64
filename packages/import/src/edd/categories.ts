import type { StagedShop } from './plan.ts';

export type ProductsIn = (categories: readonly number[]) => {
  readonly products: readonly number[];
  /** False if the dump lacks one of the categories. */
  readonly isWhole: boolean;
};

/** Reads the products in categories and in those below them, as the plugin does. */
export function categoryReader({ database }: StagedShop): ProductsIn {
  const known = database.prepare(
    `select count(distinct j.value) as n from json_each(?) j
       join term_taxonomy on cast(term_id as integer) = j.value`,
  );
  const select = database.prepare(
    `with recursive wanted (id) as (
       select value from json_each(?)
        union
       select cast(term_id as integer) from term_taxonomy join wanted on cast(parent as integer) = wanted.id)
     select distinct cast(p.ID as integer) as id from term_taxonomy x
       join term_relationships r on r.term_taxonomy_id = x.term_taxonomy_id
       join posts p on p.ID = r.object_id and p.post_type = 'download'
      where cast(x.term_id as integer) in (select id from wanted) order by 1`,
  );
  return (categories) => {
    const list = JSON.stringify(categories);
    return {
      products: select.all(list).map(({ id }) => Number(id)),
      isWhole: known.get(list)?.['n'] === categories.length,
    };
  };
}
