import { describe, expect, test } from 'vitest';
import { migrations } from '../../src/cli/migrations/migrate.ts';
import { findLocks } from '../../src/cli/migrations/locks.ts';

const migration = (...statements: string[]) => ({
  name: 'test',
  when: 0,
  hash: '',
  statements,
  isByStatement: false,
});

test.each(migrations.slice(3).map((one) => [one.name, one] as const))(
  'Migration %s locks no table for a time that grows with its rows',
  async (_, one) => expect(await findLocks(one)).toEqual([]),
);

describe('A migration is accepted that', () => {
  test.each([
    'alter table orders add column title text',
    `alter table orders add column kind text default 'x'::text not null`,
    'alter table orders add column payer bigint references users (id)',
    'alter table settings alter column currency drop not null, alter column currency drop default',
    'alter table orders add constraint c check (total >= 0) not valid',
    'alter table orders drop constraint c',
    'create table notes (id bigint primary key, body text not null); create index on notes (body)',
    'create type pair as (a int, b int)',
    'create function f() returns int language sql as $$ select 1 $$',
    `update settings set currency = 'IDR'`,
  ])('says %s', async (statement) => expect(await findLocks(migration(statement))).toEqual([]));

  test('builds an index concurrently with writes', async () => {
    const one = migration('create index concurrently if not exists i on orders (id)');
    expect(await findLocks({ ...one, isByStatement: true })).toEqual([]);
  });
});

describe('A migration is refused that', () => {
  test.each([
    'create index i on orders (id)',
    'create index concurrently if not exists i on orders (id)',
    'create unique index i on orders (id)',
    'alter table orders alter column total type numeric',
    'alter table orders alter column total set not null',
    'alter table orders add column total bigint not null',
    'alter table orders add column token uuid default gen_random_uuid()',
    'alter table orders add column twice bigint generated always as (total * 2) stored',
    'alter table orders add column n bigint generated always as identity',
    'alter table orders add column n bigint unique',
    'alter table orders add column n bigint check (n > 0)',
    'alter table orders add constraint c check (total >= 0)',
    'alter table orders add constraint c foreign key (user_id) references users (id)',
    'alter table orders add constraint c unique (number)',
    'alter table orders validate constraint c',
    'alter table orders drop column total',
    'alter table orders rename column total to amount',
    'drop table orders',
    'truncate orders',
    'lock table orders',
    'update orders set total = 0',
    'delete from orders',
    `do $$ begin update orders set total = 0; end $$`,
    'create or replace function f() returns int language sql as $$ select 1 $$',
    'create table notes (id bigint); create index i on orders (id)',
    'create table if not exists orders (id bigint); create index i on orders (id)',
    'create table other.orders (id bigint); create index i on orders (id)',
    'create temp table orders (id bigint); alter table orders drop column total',
    'create table later (id bigint) inherits (orders)',
    'alter table orders add column n serial',
    'alter table orders add column n bigserial not null',
    'alter table orders add column n bigint not null default null',
    'alter table orders add column payer bigint default 1 references users (id)',
    'alter table orders add constraint p primary key using index i',
    'alter table orders add check (total >= 0) not valid',
    'alter table orders alter column quantity drop default',
    'alter table orders alter column quantity drop default; alter table users alter column quantity drop not null',
    'alter table orders drop constraint orders_pkey',
    'alter table orders drop constraint c cascade',
    'delete from settings',
    `with o as (update orders set total = 0 returning 1) update settings set currency = 'IDR'`,
    'with o as (delete from orders returning 1) insert into settings select * from settings',
    'update settings set currency = f()',
    'update settings set currency = (select currency from orders limit 1)',
  ])('says %s', async (statement) =>
    expect((await findLocks(migration(statement))).length).toBeGreaterThan(0),
  );

  test('commits each statement but could not be repeated', async () => {
    const one = migration('create index concurrently i on orders (id)');
    expect(await findLocks({ ...one, isByStatement: true })).toHaveLength(1);
  });
});
