import { beforeAll, test } from 'vitest';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { usePost } from './post.ts';

const opened = usePost(['resend']);

beforeAll(async () => {
  const { post } = opened;
  const { fixture } = post;
  const { id: product_id } = await fixture.newProduct();
  const user_id = (await post.newBuyer()).id;
  const order = await fixture.newOrder({ product_id, user_id });
  await fixture.api.post('/reminders', {
    order_id: order.id,
    title: 'A word',
    content: 'Please pay.',
  });
  await fixture.api.delete(`/users/${(await post.newBuyer()).id}`);
  // The reminder waits for another try.
  await post.store.settled();
  post.sender().refuse('temporary');
  await post.later(0);
});

test('sent, waiting and erased messages pass the integrity check', () =>
  expectIntegrity(opened.post));

const reminders = `kind = 'reminder'`;
const erased = `user_id in (select id from users where status = 'anonymised')`;

test.each([
  ['reminders being sent without a queued message', `delete from messages where ${reminders}`],
  [
    'reminders being sent without a queued message',
    `update messages set status = 'failed' where ${reminders}`,
  ],
  ['sent messages without a time', `update messages set sent_at = null where status = 'sent'`],
  ['sent messages without a time', `update messages set status = 'read' where status = 'sent'`],
  [
    'tried messages without a text or an address',
    `update messages set content = null where ${reminders}`,
  ],
  [
    'tried messages without a text or an address',
    `update messages set recipient = '' where ${reminders}`,
  ],
  [
    'messages with data of erased people',
    `update messages set recipient = 'gone@people.example' where ${erased}`,
  ],
  ['messages with data of erased people', `update messages set status = 'queued' where ${erased}`],
  [
    'number of messages by status',
    `update list_totals set total = total + 1 where list = 'messages:sent'`,
  ],
])('the check of %s notices: %s', (name, damage) => expectNoticed(opened.post, name, damage));
