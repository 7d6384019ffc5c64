import { describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useContents } from './stage.ts';

const { fixture, at, course, bonus, user, newContent, check, grant } = useContents();

describe('the check of a content', () => {
  test('asks in a fixed order: blocked, published, bought, revoked, expired, open', async () => {
    const content = await newContent({ status: 'draft', drip_day: 5 });
    const set = (fields: object) => fixture().api.patch(`/access/content/${content.id}`, fields);
    const reasons: string[] = [];
    const note = async () => reasons.push((await check(content)).reason);

    await fixture().api.patch(`/users/${user()}`, { status: 'blocked' });
    await note();
    await fixture().api.patch(`/users/${user()}`, { status: 'active' });
    await note();
    await set({ status: 'publish' });
    await note();
    await fixture().api.delete(`/access/${await grant(course())}`);
    await note();
    await grant(course(), { end_active: '2026-03-11T09:00:00Z' });
    at('2026-03-11T09:00:00Z');
    await note();
    await grant(course());
    await note();
    at('2026-03-16T09:00:00Z');
    await note();
    expect(reasons).toEqual([
      'user-blocked',
      'not-published',
      'not-bought',
      'revoked',
      'expired',
      'drip-content',
      'ok',
    ]);
  });

  test('opens it a number of days after the access started, by the clocks of the store', async () => {
    await fixture().set('timezone', 'Europe/Berlin');
    const content = await newContent({ drip_day: 2 });
    at('2026-03-28T08:00:00Z');
    await grant(course());
    // The clocks were put forward on the 29th, so 09:00 there is an hour earlier.
    at('2026-03-30T06:59:59Z');
    expect(await check(content)).toMatchObject({
      can_access: false,
      reason: 'drip-content',
      detail: {
        start_day: 1,
        drip_day: 2,
        available_at: '2026-03-30T07:00:00.000Z',
        matched_product_ids: [course()],
      },
    });
    at('2026-03-30T07:00:00Z');
    expect(await check(content)).toMatchObject({
      can_access: true,
      reason: 'ok',
      detail: { start_day: 2, available_at: '2026-03-30T07:00:00.000Z', block: null },
    });
    await fixture().set('timezone', 'Asia/Jakarta');
  });

  test('opens it to nobody before its release, and to nobody who has not bought it', async () => {
    const content = await newContent({ release_at: '2026-04-01T00:00:00+07:00' });
    expect(await check(content)).toMatchObject({ reason: 'not-bought' });
    await grant(course());
    expect(await check(content)).toMatchObject({
      reason: 'drip-content',
      detail: { available_at: '2026-03-31T17:00:00.000Z' },
    });
    at('2026-03-31T17:00:00Z');
    expect(await check(content)).toMatchObject({ reason: 'ok' });
  });

  test('uses the grant that opens it, not one that lasts longer', async () => {
    const content = await newContent({ drip_day: 7 });
    const early = await grant(course(), { end_active: '2026-04-30T00:00:00Z' });
    at('2026-03-17T09:00:00Z');
    await grant(course());
    expect(await check(content)).toMatchObject({ reason: 'ok', detail: { grant_id: early } });
  });

  test('is passed with one of the products if any of them is enough', async () => {
    const content = await newContent({ product_ids: [course(), bonus()] });
    await fixture().api.delete(`/access/${await grant(course())}`);
    expect(await check(content)).toMatchObject({ reason: 'revoked' });
    await grant(bonus());
    expect(await check(content)).toMatchObject({
      reason: 'ok',
      product_id: bonus(),
      detail: { matched_product_ids: [bonus()] },
    });
  });

  test('is passed only with all of the products if all of them are required', async () => {
    const content = await newContent({
      product_ids: [course(), bonus()],
      match: 'all',
      drip_day: 1,
    });
    await grant(course());
    expect(await check(content)).toMatchObject({
      reason: 'not-bought',
      product_id: bonus(),
      detail: {
        matched_product_ids: [course()],
        block: { message: '<p>Get Bonus to see it.</p>' },
      },
    });
    at('2026-03-11T09:00:00Z');
    await grant(bonus(), { end_active: '2026-03-20T00:00:00Z' });
    expect(await check(content)).toMatchObject({
      reason: 'drip-content',
      product_id: bonus(),
      detail: {
        available_at: '2026-03-12T09:00:00.000Z',
        matched_product_ids: [course(), bonus()],
      },
    });
    at('2026-03-12T09:00:00Z');
    expect(await check(content)).toMatchObject({ reason: 'ok' });
    at('2026-03-20T00:00:00Z');
    expect(await check(content)).toMatchObject({ reason: 'expired', product_id: bonus() });
  });

  test('is 404 only for a user or a content that does not exist', async () => {
    const content = await newContent();
    const ask = (id: number, who: number) =>
      fixture().api.get(`/access/content/${id}/check?user_id=${who}`);
    expect(await ask(999_999, user())).toMatchObject({ status: 404 });
    expect(await ask(content.id, 999_999)).toMatchObject({
      status: 404,
      body: { data: { params: { user_id: 'unknown id' } } },
    });
    await fixture().api.delete(`/users/${user()}`);
    expect(await ask(content.id, user())).toMatchObject({ status: 404 });
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
