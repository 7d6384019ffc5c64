import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  limitsOf,
  providerAmount,
  refusedAmount,
  storeAmount,
} from '../../../src/domain/payment/amounts.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import { useGateway } from '../../providers/gateways.ts';
import { providerNames } from '../../providers/index.ts';

/** Currencies with their decimals in stores. */
const matrix = [
  ['IDR', 0],
  ['IDR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['UGX', 0],
  ['JPY', 4],
  ['IDR', 4],
  ['KWD', 0],
] as const;

const amounts = fc.oneof(
  fc.integer({ min: 0, max: largestAmount }),
  fc.integer({ min: 0, max: 9_000_000 }).map((amount) => amount * 1_000_000),
);
const provided = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** An amount in a unit of which all other units are multiples. */
const fine = (amount: number, exponent: number) => BigInt(amount) * 10n ** BigInt(10 - exponent);

describe.each(providerNames)('Amounts of %s', (name) => {
  const opened = useGateway(name);

  test('use the units of the server', () => {
    const { gateway, provider } = opened;
    const exponents = Object.keys(provider.units).map((currency) => [
      currency,
      gateway.unitOf(currency)?.exponent,
    ]);
    expect(Object.fromEntries(exponents)).toEqual(provider.units);
  });

  describe.each(matrix)('of %s with %d decimals', (currency, currency_exponent) => {
    const store = { currency, currency_exponent };

    test('survive the conversion both ways, or are refused', () => {
      const { gateway } = opened;
      const unit = gateway.unitOf(currency);
      fc.assert(
        fc.property(amounts, (amount) => {
          const units = providerAmount(gateway, { ...store, amount });
          if (!unit) {
            expect(units).toBeUndefined();
            return;
          }
          const size = fine(unit.step, unit.exponent);
          const isWhole = fine(amount, currency_exponent) % size === 0n;
          const wouldBe = fine(amount, currency_exponent) / fine(1, unit.exponent);
          const isCounted = isWhole && wouldBe <= Number.MAX_SAFE_INTEGER;
          expect(units).toBe(isCounted ? Number(wouldBe) : undefined);
          if (units === undefined) return;
          expect(storeAmount(gateway, units, store)).toEqual({ amount, exact: true });
        }),
      );
    });

    test('that the provider reports are converted exactly, or rounded down and marked as rounded', () => {
      const { gateway } = opened;
      const unit = gateway.unitOf(currency);
      fc.assert(
        fc.property(provided, (units) => {
          const came = storeAmount(gateway, units, store);
          const size = fine(1, currency_exponent);
          const whole = unit ? fine(units, unit.exponent) : Infinity;
          expect(came).toEqual(
            typeof whole === 'bigint' && whole / size <= Number.MAX_SAFE_INTEGER
              ? { amount: Number(whole / size), exact: whole % size === 0n }
              : undefined,
          );
        }),
      );
    });

    test('are accepted only within its limits', () => {
      const { gateway } = opened;
      const { min = 0, max = Infinity } = gateway.limitsOf(currency);
      const shown = limitsOf(gateway, store);
      fc.assert(
        fc.property(amounts, (amount) => {
          const units = providerAmount(gateway, { ...store, amount });
          const isTaken = units !== undefined && units >= min && units <= max;
          expect(refusedAmount(gateway, { ...store, amount }) === undefined).toBe(isTaken);
          if (!isTaken) return;
          expect(amount).toBeGreaterThanOrEqual(shown.min ?? 0);
          expect(amount).toBeLessThanOrEqual(shown.max ?? Infinity);
        }),
      );
    });
  });
});
