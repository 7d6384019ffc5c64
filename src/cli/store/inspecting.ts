import type { StoreStatus } from '../../actions/status/schemas.ts';
import { Refused } from '../support/command.ts';
import { table } from '../support/table.ts';
import { askHealth, askReady, askStatus } from './asking.ts';
import { checkStore } from './checking.ts';
import { workerName } from './configuration.ts';
import type { NamedStore } from './definition.ts';
import { readRestore, restoreCommand } from './restore-note.ts';
import { spentDatabases } from './old-databases.ts';
import { readSecrets } from './secrets.ts';

/** The state of a store; a missing answer is empty, with its reason in `trouble`. */
interface Inspection {
  readonly store: NamedStore;
  readonly version: string;
  readonly schema: string;
  readonly ready: string;
  readonly status: StoreStatus | undefined;
  /** The reasons why it is not ready, out of order, unfinished, or cannot be deployed. */
  readonly trouble: readonly string[];
  /** Remarks that are not urgent. */
  readonly notes: readonly string[];
}

async function inspect(store: NamedStore): Promise<Inspection> {
  const secrets = readSecrets(store);
  const key = secrets.then(({ OPERATOR_KEY = '' }) => OPERATOR_KEY);
  const [health, ready, status, check, spent, restore] = await Promise.allSettled([
    askHealth(store),
    key.catch(() => '').then((known) => askReady(store, known)),
    key.then((known) => askStatus(store, known)),
    checkStore(store),
    secrets.then((known) => spentDatabases(store, known, new Date())),
    unfinishedRestore(store),
  ]);
  const figures = status.status === 'fulfilled' ? Object.entries(status.value.figures) : [];
  const reasons = [health, ready, status].flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as Error).message] : [],
  );
  const passed = figures
    .filter(([, { passed }]) => passed)
    .map(
      ([name, { value, threshold }]) =>
        `${name} is ${value}, and counts as out of order from ${threshold} on`,
    );
  const unfinished = restore.status === 'fulfilled' ? restore.value : [];
  const seen = seenFromHere(store, ready.status === 'fulfilled', check);
  return {
    store,
    version: health.status === 'fulfilled' ? health.value.version : '',
    schema: health.status === 'fulfilled' ? health.value.schema : '',
    ready: ready.status === 'fulfilled' ? 'yes' : 'no',
    status: status.status === 'fulfilled' ? status.value : undefined,
    trouble: [
      ...reasons.slice(0, 1),
      ...seen,
      ...passed,
      ...unfinished,
      ...unsaid(spent, [...reasons.slice(0, 1), ...seen]),
      ...unsaid(restore, seen),
    ],
    notes: [
      ...(check.status === 'fulfilled' && check.value !== undefined ? [check.value] : []),
      ...(spent.status === 'fulfilled' ? spent.value : []),
    ],
  };
}

async function unfinishedRestore({ name }: NamedStore): Promise<string[]> {
  const restoring = await readRestore(name);
  if (!restoring) return [];
  return [`A restore is unfinished. Go on with: ${restoreCommand(name, restoring.folder)}`];
}

/** Describes the faults of a store's files and database: the reason why it is not ready, or one that isn't deployed yet. */
function seenFromHere(
  { name }: NamedStore,
  isReady: boolean,
  check: PromiseSettledResult<string | undefined>,
): string[] {
  if (check.status === 'fulfilled') {
    return isReady
      ? []
      : [
          `Seen from here, its variables, secrets and database are right. Its log says more: npx wrangler tail ${workerName(name)}`,
        ];
  }
  const { message } = check.reason as Error;
  if (!isReady) return [`Seen from here: ${message}`];
  const outcome = check.reason instanceof Refused ? 'be refused' : 'fail';
  return [`The next deployment will ${outcome}: ${message}`];
}

/** Returns the reason of a failure unless it was said before. */
function unsaid(result: PromiseSettledResult<unknown>, said: readonly string[]): string[] {
  if (result.status === 'fulfilled') return [];
  const { message } = result.reason as Error;
  return said.some((line) => line.includes(message)) ? [] : [message];
}

const hours = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? '' : `${(seconds / 3600).toFixed(1)} h`;

const megabytes = (bytes: number | null | undefined) =>
  typeof bytes === 'number' ? `${(bytes / 1e6).toFixed(0)} MB` : '';

function rowOf({ store, version, schema, ready, status }: Inspection) {
  const figures = status?.figures;
  const count = (name: keyof StoreStatus['figures']) => String(figures?.[name].value ?? '');
  return {
    store: store.name,
    address: store.address,
    version,
    schema: schema.split('_')[0] ?? '',
    ready,
    'oldest event': hours(figures?.undelivered_event_age.value),
    webhooks: count('failing_webhooks'),
    payments: count('stuck_payments'),
    messages: count('stuck_messages'),
    refunds: count('unsent_refunds'),
    backup: hours(figures?.backup_age.value),
    size: megabytes(figures?.database_size.value),
  };
}

/**
 * Prints a table of stores, and the problems of each.
 * @param refused the reasons why files of further stores are refused, by name
 * @returns true if all of them are ready and in order
 */
export async function showStores(
  stores: readonly NamedStore[],
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<boolean> {
  if (stores.length + refused.size === 0) {
    console.log('There are no stores yet. Add one: npm run store -- add NAME');
    return true;
  }
  const found = await Promise.all(stores.map(inspect));
  console.log(table(found.map(rowOf)));
  for (const { store, trouble, notes } of found) showLines(store.name, [...trouble, ...notes]);
  for (const [name, reason] of refused) showLines(name, [reason]);
  return refused.size === 0 && found.every(({ trouble }) => trouble.length === 0);
}

function showLines(name: string, lines: readonly string[]): void {
  const indented = lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`);
  if (lines.length > 0) console.log(`\n${name}:\n${indented.join('\n')}`);
}
