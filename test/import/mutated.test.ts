import { describe, expect, test } from 'vitest';
import { sejoliImporter } from '../../src/local/import/sejoli/index.ts';
import type { Cell, Table } from './dump-writer.ts';
import { dialects } from './dump-writer.ts';
import { contents } from './contents.ts';
import { type Moved, useMoves } from './moved.ts';
import { randomShop } from './sejoli/random.ts';
import { writeDump } from './shops.ts';

const { dumpPath, moved } = useMoves();

/** What stands where something else should. */
const nonsense: readonly Cell[] = [
  ...[null, '', '0', '-1', 'nonsense', '0000-00-00 00:00:00', '9999-99-99 99:99:99'],
  ...['99999999999999999999', '1.005', '-350000.00', 'a:1:{', '\u0000', "'; drop table users; --"],
];

/**
 * The shop with one of a hundred values replaced by nonsense. Ids of rows are left as they are, and so are statuses: an
 * unknown one is asked about.
 */
function mutated(tables: readonly Table[], seed: number): Table[] {
  let state = seed;
  const roll = (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return (state >> 8) % sides;
  };
  return tables.map((table) => ({
    ...table,
    rows: /sejolisa|users|meta$/.test(table.name)
      ? table.rows.map((row) =>
          row.map((cell, i) =>
            /^(ID|status|unwanted|user_pass|user_activation_key|meta_key|post_id)$/.test(
              table.columns[i] ?? '',
            ) || roll(100) > 0
              ? cell
              : (nonsense[roll(nonsense.length)] ?? null),
          ),
        )
      : table.rows,
  }));
}

/** The source's rows that the report should have, by entity, beside those that others are joined to. */
const entities = {
  users: 'users',
  orders: 'sejolisa_orders',
  commissions: 'sejolisa_affiliates',
  subscriptions: 'sejolisa_subscriptions',
  licenses: 'sejolisa_licenses',
  coupons: 'sejolisa_coupons',
  confirmations: 'sejolisa_confirmations',
} as const;

function expectAllReported({ staging }: Moved): void {
  for (const [entity, table] of Object.entries(entities)) {
    const missing = staging.database
      .prepare(
        `select ID from ${table} where ID not in (select id from entity_row where entity = ?)`,
      )
      .all(entity);
    expect([entity, missing]).toEqual([entity, []]);
  }
}

describe('A shop in which one of a hundred values is nonsense', () => {
  test.each([1, 2, 3])('comes in all the same, every row accounted for (%i)', async (seed) => {
    const path = dumpPath(`mutated-${seed}.sql`);
    writeDump(path, mutated(randomShop(300, seed), seed));
    expectAllReported(await moved(sejoliImporter, path));
  });
});

test('the same shop in every dialect gives the same store', async () => {
  const tables = randomShop(60);
  const stores = [];
  for (const dialect of dialects) {
    const path = dumpPath(`${dialect.name.replaceAll(/\W/g, '-')}.sql`);
    writeDump(path, tables, dialect);
    stores.push(await contents((await moved(sejoliImporter, path)).store));
  }
  expect(stores.length).toBeGreaterThan(3);
  for (const store of stores) expect(store).toEqual(stores[0]);
});
