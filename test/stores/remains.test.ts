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
  const database = { DATABASE_URL_DIRECT: 'postgresql://a:b@three.example/store' };
  const OLD_DATABASES = JSON.stringify(old);
  const lines = remains(store, { ...database, OLD_DATABASES }).split('\n');
  expect(lines).toContain('  its database, with all its data: three.example');
  expect(lines).toContain('  its database before a restore: quiet-river-1');
  expect(lines).toContain('  its database before a restore: two.example');
  const atNeon = remains(store, { ...database, NEON_PROJECT_ID: 'quiet-river-2' });
  expect(atNeon).toContain('all its data: quiet-river-2, three.example\n');
  expect(atNeon).not.toContain('before a restore');
});
