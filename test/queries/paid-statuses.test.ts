import { expect, test } from 'vitest';
import { orderStatuses, paidStatuses } from '../../src/schema/lists.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

test('the database counts the same statuses of orders as paid as the service', async () => {
  const { rows } = await opened.fixture.store.database.query(
    'select status, svc_is_paid(status) as paid from unnest($1::text[]) status',
    [orderStatuses],
  );
  const paid = (status: string) => paidStatuses.some((one) => one === status);
  expect(rows).toEqual(orderStatuses.map((status) => ({ status, paid: paid(status) })));
});
