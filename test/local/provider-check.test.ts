import { once } from 'node:events';
import { resolve } from 'node:path';
import { type TestContext, describe, expect } from 'vitest';
import { providerNames, providers } from '../providers/index.ts';
import { isLong, long } from '../harness/long.ts';
import { run } from './checkout.ts';

const script = resolve(import.meta.dirname, '../../src/cli/provider-check.ts');

const check = (options: string[], environment: Record<string, string> = {}) =>
  run(script, options, { FORCE_COLOR: '0', ...environment });

async function checked(options: string[], environment?: Record<string, string>) {
  const running = check(options, environment);
  await once(running.process, 'close');
  return { code: running.process.exitCode, printed: running.output() };
}

async function openProvider(name: string, { onTestFinished }: TestContext) {
  const provider = providers[name]?.();
  if (!provider) throw new Error(`There is no provider ${name}.`);
  await provider.open(() => new Date());
  onTestFinished(() => provider.close());
  return provider;
}

describe('npm run provider:check', () => {
  long.concurrent.for(isLong ? providerNames : providerNames.slice(0, 1))(
    'makes a payment at %s and refunds it',
    async (name, context) => {
      const provider = await openProvider(name, context);
      const running = check([name], provider.variables);
      await running.prints('Waiting until it is paid');
      const [reference = ''] = provider.references();
      provider.pay(reference);
      await running.prints('Paid: ');
      // The state of the refund follows. A provider without refunds ends the command instead.
      await running.prints('Asking for the refund\n  ').catch(() => {});
      provider.settleRefunds?.('succeeded');
      if (running.process.exitCode === null) await once(running.process, 'close');
      expect(running.output()).toMatch(/Pay here: https?:\/\//);
      expect(running.process.exitCode, running.output()).toBe(0);
      const { paid, refunded, refunds } = provider.books(reference);
      expect(paid).toBeGreaterThan(0);
      const isKept = running.output().includes('cannot refund');
      expect({ refunded, refunds }).toEqual(
        isKept ? { refunded: 0, refunds: 0 } : { refunded: paid, refunds: 1 },
      );
    },
  );

  long('shows its usage, and the available providers', async () => {
    const help = await checked(['--help']);
    expect(help).toMatchObject({ code: 0, printed: expect.stringContaining('NAME [CURRENCY') });
    const alone = await checked([]);
    expect(alone).toMatchObject({ code: 2, printed: expect.stringContaining('NAME is missing.') });
    const unknown = await checked(['barter']);
    expect(unknown.printed).toContain('There is no provider barter.');
    for (const name of providerNames) expect(unknown.printed).toContain(name);
  });

  long('names the variables that are missing', async () => {
    const { code, printed } = await checked(['stripe']);
    expect(code).toBe(2);
    expect(printed).toMatch(/^Set the variables of stripe .*STRIPE_SECRET_KEY/);
    const { printed: half } = await checked(['stripe'], { STRIPE_SECRET_KEY: 'sk_test_1' });
    expect(half).toContain('STRIPE_WEBHOOK_SECRET is missing');
  });

  long.for([
    [['stripe', 'XXX'], 'stripe does not take XXX.'],
    [['stripe', 'usd', '1.234'], 'AMOUNT is a number like 15.00, not 1.234.'],
    [['stripe', 'usd', '0.10'], 'takes amounts from 50'],
  ] as const)('refuses %j and says why', async ([options, message], context) => {
    const provider = await openProvider('stripe', context);
    const { code, printed } = await checked([...options], provider.variables);
    expect({ code, printed }).toEqual({ code: 2, printed: expect.stringContaining(message) });
    expect(provider.journal).toEqual([]);
  });

  long("shows the reason of the provider's refusal", async (context) => {
    const provider = await openProvider('stripe', context);
    const { code, printed } = await checked(['stripe'], {
      ...provider.variables,
      STRIPE_SECRET_KEY: 'sk_test_another',
    });
    expect(code).toBe(1);
    expect(printed).toMatch(/The provider's answer: temporary, /);
    expect(printed).not.toContain('sk_test_another');
  });
});
