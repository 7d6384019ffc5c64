import { expect, test } from 'vitest';
import { useLicenses } from './stage.ts';

const { opened, newLicense, register, validate } = useLicenses();
const api = () => opened.fixture.api;

test.each<[string, (code: string) => string]>([
  ['en dashes', (code) => code.replaceAll('-', '–')],
  ['non-breaking hyphens', (code) => code.replaceAll('-', '\u2011')],
  ['minus signs', (code) => code.replaceAll('-', '−')],
  ['zero-width marks', (code) => `\u200b${code.replaceAll('-', '-\u200d')}\ufeff`],
  ['quotation marks', (code) => `“${code}”`],
  ['a full stop', (code) => `${code}.`],
  ['blanks and small letters', (code) => ` ${code.toLowerCase().replaceAll('-', '\u00a0 ')}\n`],
  ['letters and digits alone', (code) => code.replaceAll('-', '')],
])('a licence code with %s is found by every operation that takes one', async (_, as) => {
  const { id, code } = await newLicense();
  const license = as(code);
  const asked = encodeURIComponent(license);
  expect((await register(license, 'toko.example')).body.code).toBe('VALID');
  expect((await validate(license, { string: 'toko.example' })).body.code).toBe('VALID');
  const status = await api().get(`/licenses/status?license=${asked}&string=toko.example`);
  expect(status.body.code).toBe('VALID');
  expect((await api().get(`/licenses/by-code/${asked}`)).body.data).toMatchObject({ id });
  const found = await api().get(`/licenses?search=${asked}`);
  expect(found.body.data).toMatchObject([{ id }]);
  const reset = await api().post('/licenses/reset', { license });
  expect(reset).toMatchObject({ status: 200, body: { data: { released: 1 } } });
});

test('a licence is found by its registered place in every spelling', async () => {
  const { id, code } = await newLicense();
  await register(code, 'https://www.Bücher.example/shop');
  for (const place of [
    'http://bücher.example:80/x',
    'WWW.bücher.example',
    'xn--bcher-kva.example',
  ]) {
    const found = await api().get(`/licenses?search=${encodeURIComponent(place)}`);
    expect(found.body.data, place).toMatchObject([{ id }]);
  }
});

test('a part of a licence code is found without its hyphens, and with dashes', async () => {
  const { id, code } = await newLicense();
  for (const part of [code.slice(3, 16).replaceAll('-', ''), code.slice(0, 13).replace('-', '–')]) {
    const found = await api().get(`/licenses?search=${encodeURIComponent(part)}`);
    expect(found.body.data, part).toMatchObject([{ id }]);
  }
});
