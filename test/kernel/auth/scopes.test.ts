import { expect, test } from 'vitest';
import { isScope, scopes } from '../../../src/schema/scopes.ts';

test('no scope is listed twice, and each says what it covers', () => {
  expect(new Set(scopes.map(({ name }) => name)).size).toBe(scopes.length);
  for (const { description } of scopes) expect(description).toMatch(/^[A-Z].*\.$/);
});

test.each(['orders:read', 'sessions:write', 'user-groups:write', 'webhooks:delete'])(
  '%s is a scope',
  (text) => expect(isScope(text)).toBe(true),
);

test.each(['', 'orders', 'orders:*', '*', 'Orders:read', 'orders:read ', 'toString', '__proto__'])(
  '%j is no scope',
  (text) => expect(isScope(text)).toBe(false),
);
