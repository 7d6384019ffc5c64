import { toSettings } from '../domain/settings/rules.ts';
import { Settings, SettingsUpdate } from '../domain/settings/schemas.ts';
import { domain } from '../domain/service/domain.ts';
import { Budget } from '../kernel/budget.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import { connect } from '../kernel/database/driver.ts';
import { type Connection, UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { type Refusal, isRefusal, refusalError } from '../kernel/errors/errors.ts';
import { systemClock } from '../lib/instant.ts';
import { startNeonEndpoint } from '../local/neon/index.ts';
import { changeSettings, loadSettings } from '../actions/settings/changing.ts';
import { findSettings } from '../queries/settings.ts';
import { commandLineRow } from './support/audit.ts';
import { Refused, UsageError } from './support/command.ts';
import { withPlainTls } from './support/database.ts';

const fields = SettingsUpdate.shape;

/**
 * Parses NAME=VALUE: text if the setting takes it, otherwise JSON.
 * @throws UsageError, Refused
 */
function settingOf(word: string): [name: string, value: unknown] {
  const [, name = '', text = ''] = /^([a-z_]+)=([^]*)$/.exec(word) ?? [];
  const field = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
  if (!field)
    throw name === ''
      ? new UsageError(`'${word}' is not NAME=VALUE.`)
      : new Refused(
          `There is no setting ${name}. The settings are: ${Object.keys(fields).join(', ')}.`,
        );
  if (field.safeParse(text).success) return [name, text];
  try {
    return [name, JSON.parse(text) as unknown];
  } catch {
    return [name, text];
  }
}

/** @throws Refused naming each setting with a wrong value */
export function updateOf(words: readonly string[]): SettingsUpdate {
  const result = SettingsUpdate.safeParse(Object.fromEntries(words.map(settingOf)));
  if (result.success) return result.data;
  throw new Refused(
    result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'),
  );
}

/** Connects to the database as the service does, for the duration of the work. */
async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const neon = await startNeonEndpoint({ resolve: () => withPlainTls(url) });
  try {
    const endpoint = { fetch: (_: string, init?: RequestInit) => fetch(neon.url, init) };
    const driver = connect('postgresql://store:local@db.localhost/store', endpoint);
    return await work({ driver, budget: new Budget(Infinity), store: undefined });
  } finally {
    await neon.close();
  }
}

async function readSettings(connection: Connection): Promise<Settings> {
  const { found } = await new UnitOfWork(connection, undefined).query({ found: findSettings() });
  if (!found[0]) throw new Error('The database has no settings: bring it up to date first.');
  return Settings.parse(toSettings(found[0]));
}

/** @throws Refused with the error message of the same operation in the API */
async function writeSettings(connection: Connection, update: SettingsUpdate): Promise<void> {
  const now = systemClock.now();
  const refusal = await changeAsSystem(
    { connection, clock: systemClock, domain, following: async () => undefined },
    {
      load: loadSettings(update),
      decide: (loaded) => {
        const change = changeSettings(loaded, update, undefined, now);
        if (isRefusal(change)) return change;
        const { before, reply: after } = change;
        const row = before
          ? commandLineRow({ operation: 'me.settings.update', change: { before, after } }, now)
          : [];
        return { write: [...change.write, ...row], reply: null };
      },
    },
  );
  if (refusal) throw new Refused(saidOf(refusal));
}

function saidOf(refusal: Refusal): string {
  const { message } = refusalError(refusal, domain.errors);
  const params = Object.entries(refusal.detail.params ?? {});
  return [message, ...params.map(([name, reason]) => `  ${name} ${reason}`)].join('\n');
}

/**
 * Changes a store's settings by the rules of PATCH /me/settings; none if `update` is empty.
 * @returns all settings
 */
export const changeSettingsIn = (url: string, update: SettingsUpdate): Promise<Settings> =>
  withConnection(url, async (connection) => {
    if (Object.keys(update).length > 0) await writeSettings(connection, update);
    return readSettings(connection);
  });

export const settingRows = (settings: Settings) =>
  Object.entries(settings).map(([setting, value]) => ({
    setting,
    value:
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
  }));
