import { checkIntegrity } from '../../../src/cli/integrity/index.ts';
import { command } from '../../../src/cli/support/command.ts';
import { type Comparison, comparisons } from './comparisons.ts';
import { type Finding, type Send, isMissed, measure } from './measure.ts';
import { payMany } from './payout-run.ts';
import { PlanLog, scansDuring } from './plans.ts';
import { type ScaledStore, openPostgres, openScaledStore } from './stage.ts';
import { largestIn } from './size.ts';
import { scansOfTrips } from './trips.ts';
import { aDay } from './writes.ts';

const usage = `npm run bench:scale

Compares a store of a million orders with one of ten thousand, and fails if a goal is missed. ORDERS makes the large one
smaller; ONLY measures what has these letters in its name.`;

const orders = Number(process.env['ORDERS'] ?? 1_000_000);
const only = process.env['ONLY'] ?? '';

const bar = (what: string, part: number) => {
  const done = Math.round(30 * part);
  process.stdout.write(`\r${what.padEnd(24)} [${'#'.repeat(done)}${'.'.repeat(30 - done)}]`);
};

async function compareScales(): Promise<number> {
  await using closers = new AsyncDisposableStack();
  const plans = new PlanLog();
  const postgres = await openPostgres(closers, plans.take);
  const big = await openScaledStore(closers, postgres, orders, bar);
  const small = await openScaledStore(closers, postgres, 10_000, bar);
  const stores = { big, small };

  const compared = comparisons(big.size, small.size).filter(({ name }) => name.includes(only));
  const found = await measure(compared, await sender(stores, compared), bar);
  const findings = found.sort((a, b) => b.ratio / b.limit - a.ratio / a.limit);
  console.log();
  console.table(findings.map(shown));
  const missed = findings.filter(isMissed);
  if (missed.length > 0) console.log(`${missed.length} of ${findings.length} goals missed.`);

  const scans = await scansDuring(big.databaseUrl, largestIn(big.size), plans, async (fixture) => {
    for (const { large } of compared.filter(({ large }) => large.store === 'big')) {
      const { user } = large;
      const client = user ? await fixture.store.session(user.id, claimsOf(user)) : fixture.api;
      for (const n of [1, 2])
        await client.get(large.path(n).replace(/^\/\//, '//api/svc-notify/v1/'));
    }
    await aDay(fixture, big.size);
  });
  // The driver's configuration is global: it sends to the database of the store that was started last.
  big.fixture.store.restart();
  const late = await payMany(big.fixture);
  for (const problem of late) console.log(problem);
  for (const { size, databaseUrl } of [big, small]) {
    scans.push(...(await scansOfTrips(databaseUrl, largestIn(size))));
  }
  for (const { table, statement } of scans) console.log(`All of ${table} is read by: ${statement}`);

  const wrong = [];
  for (const { fixture } of [big, small]) {
    const checked = await checkIntegrity(fixture.store.database);
    wrong.push(...checked.filter(({ differences }) => differences > 0));
  }
  if (wrong.length > 0) console.table(wrong);
  return missed.length + late.length + scans.length + wrong.length > 0 ? 1 : 0;
}

/** Returns a function that makes the request of a side of a comparison. */
async function sender(
  served: Record<'big' | 'small', ScaledStore>,
  compared: readonly Comparison[],
): Promise<Send> {
  const addresses = { big: await served.big.serve(), small: await served.small.serve() };
  const keys = {
    big: await keyOf(served.big),
    small: await keyOf(served.small),
  };
  const tokens = new Map<string, string>();
  for (const { large, base } of compared) {
    for (const { store, user } of [large, base]) {
      if (!user) continue;
      const token = await served[store].fixture.store.token(user.id, claimsOf(user));
      tokens.set(`${store} ${user.id}`, token);
    }
  }
  return ({ store, path, user }, n) => {
    const asked = path(n);
    const address = asked.startsWith('//')
      ? `/api/svc-notify/v1${asked.slice(1)}`
      : `/api/svc/v1${asked}`;
    const token = user ? tokens.get(`${store} ${user.id}`) : keys[store];
    return {
      method: 'GET',
      url: addresses[store] + address.replaceAll(' ', '%20'),
      headers: { authorization: `Bearer ${token}` },
    };
  };
}

function claimsOf({ admin }: { admin: boolean }) {
  return admin ? { admin } : {};
}

async function keyOf({ fixture }: ScaledStore): Promise<string> {
  return (await fixture.store.createKey()).token;
}

function shown(finding: Finding) {
  const { name, large, base, ratio, limit } = finding;
  return {
    name,
    'p95 large, ms': large.toFixed(1),
    'p95 base, ms': base.toFixed(1),
    ratio: ratio.toFixed(2),
    limit,
    '': isMissed(finding) ? 'MISSED' : '',
  };
}

await command({ usage }, compareScales);
