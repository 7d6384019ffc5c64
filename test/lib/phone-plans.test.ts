import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { dialledBefore, phoneNumber } from '../../src/lib/phone.ts';

// Compares the service's table of countries with the numbering plans of libphonenumber.

/** Countries with additional digits in mobile numbers: a 15 within, an 80 before. */
const exceptions = ['AR', 'BY'];

test('the table has every country, with its calling code', () => {
  const codes = Object.entries(dialledBefore()).map(([country, [code]]) => `${country} ${code}`);
  const plans = getCountries().map((country) => `${country} ${getCountryCallingCode(country)}`);
  expect(codes.sort()).toEqual(plans.sort());
});

const others = getCountries().filter((country) => !exceptions.includes(country));

describe.each(others)('A mobile number of %s', (country) => {
  const number = getExampleNumber(country, examples);
  const national = number?.formatNational() ?? '';

  test('is one number however it is written', () => {
    const spellings = [national, number?.formatInternational() ?? '', number?.nationalNumber ?? ''];
    expect(spellings.map((text) => phoneNumber(text, country))).toEqual(
      spellings.map(() => number?.number),
    );
  });
});
