import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SettingsUpdate } from '../../src/domain/settings/schemas.ts';
import { placeholders } from '../../src/domain/message/placeholders.ts';
import { couponRefusals } from '../../src/domain/coupon/rules.ts';
import { acceptanceErrors } from '../../src/domain/purchase/acceptance.ts';
import { endpoints } from '../../src/endpoints.ts';
import { subjectOf } from '../../src/kernel/command/audit.ts';
import { errorTable } from '../../src/domain/service/errors.ts';
import { ApiError } from '../../packages/client/src/errors.ts';
import { texts as auditTexts } from '../../packages/console/src/screens/audit/texts.ts';
import { meanings } from '../../packages/console/src/screens/messages/template-words.ts';
import { obstacleIn, sentences, translate } from '../../packages/console/src/api/indonesian.ts';

const errorWith = (code: string, message: string, params: Record<string, string> = {}) =>
  new ApiError(
    { code, message, data: { params } },
    {
      operation: 'orders.update',
      status: 409,
      requestId: undefined,
      retryAfter: undefined,
    },
  );

test('every error of the service has a sentence in Indonesian', () => {
  expect(Object.keys(sentences).toSorted()).toEqual(Object.keys(errorTable).toSorted());
});

test('an error is shown in Indonesian, with the reasons of its fields', () => {
  const error = errorWith('rest_invalid_param', 'Invalid parameter(s): price.', {
    price: 'Too small: expected number to be >=0',
    title: 'is required',
    email: 'Invalid email address',
    'affiliate.tiers': 'of no kind that is known',
  });
  translate(error);
  expect(error.message).toBe('Ada isian yang tidak dapat dipakai.');
  expect(error.params).toEqual({
    price: 'paling kecil 0',
    title: 'harus diisi',
    email: 'bukan alamat email',
    'affiliate.tiers': 'tidak dapat dipakai (of no kind that is known)',
  });
});

test('a message that is more specific than its code is translated as a whole, and an unknown code keeps its own message', () => {
  const obstacle = errorWith('nothing_payable', 'Every line has an obstacle.');
  const newer = errorWith('of_a_newer_release', 'Something new.');
  const held = errorWith('nothing_payable', 'The draft of payout run 7 holds commissions of …');
  for (const error of [obstacle, newer, held]) translate(error);
  expect(obstacle.message).toMatch(/^Setiap baris punya hambatan/);
  expect(held.message).toMatch(/draf pencairan 7/);
  expect(newer.message).toBe('Something new.');
});

test('every placeholder of templates is described in Indonesian', () => {
  expect(Object.keys(meanings).toSorted()).toEqual(Object.keys(placeholders).toSorted());
});

test('every setting that can be changed is on a screen of the settings', () => {
  const folder = new URL('../../packages/console/src/screens/settings/', import.meta.url);
  const screens = readdirSync(folder).filter((name) => name.endsWith('.tsx'));
  const source = screens.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const missing = Object.keys(SettingsUpdate.shape).filter(
    (name) => !new RegExp(`\\b${name}\\b`).test(source),
  );
  expect(missing).toEqual([]);
});

test('every reason why a cart cannot be ordered has a sentence in Indonesian', () => {
  const codes = [
    'out_of_stock',
    'license_quantity',
    'purchase_too_soon',
    ...couponRefusals,
  ] as const;
  for (const code of codes) {
    expect(obstacleIn(acceptanceErrors[code][1])).toBe(sentences[code]);
  }
  expect(obstacleIn('payment_gateway takes amounts from 10000.')).toBe(
    'Cara bayarnya hanya untuk jumlah mulai 10000.',
  );
});

test('every reason that a rule gives for a field has words in Indonesian', () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = ['domain', 'lib'].flatMap((part) =>
    readdirSync(new URL(part, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => new URL(`${part}/${name}`, folder)),
  );
  const literal = /(['`])((?:must|takes|needs|names an|cannot|may not) (?:(?!\1).)+)\1/g;
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(literal)].map(([, , said = '']) =>
      said
        .replaceAll(/\$\{names[^}]*\}|\$\{wrong\}/g, '{{name}}')
        .replaceAll(/\$\{missing\}/g, 'email')
        .replaceAll(/\$\{.*?\}/g, '7'),
    ),
  );
  expect(found.length).toBeGreaterThan(60);
  const untranslated = found.filter((said) => {
    const error = errorWith('rest_invalid_param', '', { field: said });
    translate(error);
    return error.params['field']?.includes(said);
  });
  // The console makes no request that is refused with these.
  expect(untranslated.toSorted()).toEqual([
    'must be default, count or sum',
    'must be left out if the form has the file',
    'must be true for a product with payment_type recurring',
    'needs more than 7 base62 digits',
  ]);
});

test('every change that leaves an entry in the audit log is said in words', () => {
  const { verbs, sentences: said, subjects } = auditTexts.en;
  const isSaid = (id: string) =>
    id in said || ((id.split('.').at(-1) ?? '') in verbs && subjectOf(id) in subjects);
  const writes = endpoints.filter(
    ({ effect, access }) => effect === 'write' && access.kind !== 'open',
  );
  expect(writes.map(({ id }) => id).filter((id) => !isSaid(id))).toEqual([]);
});

test('Indonesian texts write email and potongan, and no other word for them', () => {
  const folders = [
    'packages/console/src',
    'src/modules/shop',
    'src/domain/message',
    'src/processes',
  ];
  const root = new URL('../../', import.meta.url);
  const isIndonesian = /\b(yang|Anda|alamat|lewat|untuk|dengan|tidak|diskon)\b/i;
  const others = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) =>
        readFileSync(new URL(`${folder}/${name}`, root), 'utf8')
          .split('\n')
          .filter((line) => isIndonesian.test(line) && /\b(e-mail|diskon)\b/i.test(line)),
      ),
  );
  expect(others).toEqual([]);
});
