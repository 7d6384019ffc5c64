import { setTimeout as wait } from 'node:timers/promises';
import { readConfig, variableNames } from '../config.ts';
import { refusedAmount } from '../domain/payment/amounts.ts';
import type { Outbound } from '../kernel/events/outbound.ts';
import { addSeconds } from '../lib/instant.ts';
import { decimalText, formatMoney, unitsOf } from '../lib/money.ts';
import { ProviderError } from '../providers/http.ts';
import type { Attempt, Gateway, NewPayment, Payment, Unit } from '../providers/payments/gateway.ts';
import { gatewayNames, gatewaysOf } from '../providers/payments/index.ts';
import { Refused, UsageError, command } from './support/command.ts';

const usage = `Opens a small payment at a payment provider, waits until you have paid it, and refunds it.
The provider's variables come from the environment: use keys of its sandbox.

  npm run --silent provider:check -- NAME [CURRENCY [AMOUNT]]     such as: midtrans IDR 15000

NAME is one of: ${gatewayNames.join(', ')}.`;

/** Milliseconds between two look-ups of a step at the provider. */
const pause = 2000;
/** The most requests for a refund while the provider doesn't accept or finish it. */
const refundTries = 15;

const http: Outbound = (url, init) => fetch(url, init);

/** Variables that the configuration requires and no provider uses. */
const deployment = {
  DATABASE_URL: 'postgresql://store:local@db.localhost/store',
  API_KEY_PEPPERS: '',
  SESSION_KEYS: '',
  BASE_URL: 'https://provider-check.invalid',
};

function gatewayCalled(name: string): Gateway {
  if (!gatewayNames.includes(name))
    throw new UsageError(
      `There is no provider ${name}. NAME is one of: ${gatewayNames.join(', ')}.`,
    );
  const own = variableNames.filter((variable) => variable.startsWith(`${name.toUpperCase()}_`));
  const set = own.flatMap((variable) => {
    const value = process.env[variable];
    return value === undefined ? [] : [[variable, value]];
  });
  if (set.length === 0) {
    throw new Refused(`Set the variables of ${name} in the environment: ${own.join(', ')}.`);
  }
  const config = readConfig({ ...deployment, ...Object.fromEntries(set) });
  const gateway = gatewaysOf(config).find(({ id }) => id === name);
  if (!gateway) throw new Refused(`${name} stays off with these variables: ${own.join(', ')}.`);
  return gateway;
}

/**
 * Returns the amount to pay, in the provider's unit.
 * @throws Error that names the accepted form
 */
function priceOf(gateway: Gateway, currency?: string, amount?: string) {
  const code = currency ?? ['IDR', 'USD'].find((each) => gateway.unitOf(each)) ?? '';
  const unit = gateway.unitOf(code);
  if (!unit) throw new Refused(`${gateway.id} does not take ${code}.`);
  const { exponent } = unit;
  const units = unitsOf(amount ?? (code === 'IDR' ? '15000' : '2'), exponent);
  if (!units) {
    throw new UsageError(`AMOUNT is a number like ${decimalText(1500, exponent)}, not ${amount}.`);
  }
  const price = { amount: units, currency: code, currency_exponent: exponent };
  const reason = refusedAmount(gateway, price);
  if (reason) throw new Refused(`${gateway.id} ${reason} (in units of 10^-${exponent}).`);
  return { ...price, unit };
}

function paymentOf({ amount, currency }: { amount: number; currency: string }, life: number) {
  const opened_at = new Date().toISOString();
  return {
    reference: `check-${crypto.randomUUID().replaceAll('-', '')}`,
    order: { id: 1, number: 'CHECK-1', title: 'A check of the payment provider' },
    amount,
    currency,
    buyer: {
      name: 'Provider Check',
      email: 'check@provider-check.example',
      phone: '+6281234567890',
    },
    opened_at,
    expires_at: addSeconds(opened_at, life),
    return_url: `${deployment.BASE_URL}/`,
    callback_url: `${deployment.BASE_URL}/callback`,
  } satisfies NewPayment;
}

const said = (units: number, currency: string, { exponent }: Unit) =>
  formatMoney(units, currency, exponent);

/** Repeats a look-up after a temporary failure. */
async function asked<T>(ask: () => Promise<T>, tries = Infinity): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isPassing = error instanceof ProviderError && error.kind !== 'permanent';
      if (!isPassing || attempt >= tries) throw error;
      console.log(`No answer yet (${error.code}): asking again.`);
      await wait(pause);
    }
  }
}

/** Waits until a payment is paid or over. */
async function ended(gateway: Gateway, attempt: Attempt): Promise<Payment> {
  let last = '';
  for (;;) {
    const payment = await asked(() => gateway.look(attempt, http, new Date()));
    if (payment.state !== last) console.log(`  ${payment.state}`);
    last = payment.state;
    if (payment.state !== 'open' && payment.state !== 'pending') return payment;
    await wait(pause);
  }
}

/** @returns true if the provider has refunded the payment, or is about to */
async function isGivenBack(gateway: Gateway, attempt: Attempt, amount: number): Promise<boolean> {
  const refund = { key: `${attempt.reference}-1`, amount, reason: 'A check' };
  let last = '';
  for (let turn = 1; ; turn++) {
    const made = await asked(
      async () => gateway.refund?.(attempt, refund, http, new Date()),
      refundTries,
    );
    if (made === undefined || made.state === 'failed') return false;
    if (made.state !== last) console.log(`  ${made.state}`);
    last = made.state;
    if (made.state === 'succeeded') return true;
    if (turn === refundTries) {
      console.log('The provider has accepted the refund and is still processing it.');
      return true;
    }
    await wait(pause);
  }
}

const words = ['NAME', '[CURRENCY]', '[AMOUNT]'];

await command({ usage, words }, async ({ words: given }) => {
  const [name = '', currency, amount] = given;
  const gateway = gatewayCalled(name);
  const { unit, ...price } = priceOf(gateway, currency?.toUpperCase(), amount);
  const wanted = paymentOf(price, Math.max(gateway.life.min, 3600));
  console.log(`Opening a payment of ${said(price.amount, price.currency, unit)} at ${name}`);
  const { provider_id, url, expires_at } = await gateway.open(wanted, http, new Date());
  console.log(`  ${wanted.reference}, there called ${provider_id}\n\nPay here: ${url}\n`);
  console.log('Waiting until it is paid (Ctrl-C ends it)');
  const attempt = { ...wanted, provider_id, payment_ref: null, expires_at, wanted: true };
  const { state, paid, payment_ref } = await ended(gateway, attempt);
  if (state !== 'paid' || !paid) throw new Error(`It was not paid: it is ${state}.`);
  console.log(`Paid: ${said(paid.amount, paid.currency, unit)}`);
  if (paid.amount !== price.amount || paid.currency !== price.currency) {
    console.log('This is not the amount that was asked for.');
  }
  if (!gateway.refund) {
    console.log(`${name} cannot refund through its API: the check ends here.`);
    return;
  }
  console.log('Asking for the refund');
  const whole = { ...attempt, payment_ref };
  if (!(await isGivenBack(gateway, whole, paid.amount))) throw new Error('The refund failed.');
  const { refunded } = await asked(() => gateway.look(whole, http, new Date()));
  console.log(`Refunded, says ${name}: ${said(refunded, paid.currency, unit)}`);
});
