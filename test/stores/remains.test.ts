import { expect, test } from 'vitest';
import { remains } from '../../src/cli/store/removing.ts';

const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.roti.example',
};

test('What remains of a removed store includes its databases before restores', () => {
  const since = '2026-11-26T02:00:00.000Z';
  const old = [
    { since, project: 'quiet-river-1', direct: 'postgresql://a:b@one.example/store' },
    { since, project: '', direct: 'postgresql://a:b@two.example/store' },
  ];
  const lines = remains(store, JSON.stringify(old)).split('\n');
  expect(lines).toContain('  its database before a restore: quiet-river-1');
  expect(lines).toContain('  its database before a restore: two.example');
  expect(remains(store)).not.toContain('before a restore');
});
