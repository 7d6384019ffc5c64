import { Client } from 'pg';
import { tripFunctions } from '../../../src/kernel/database/prepared.ts';
import type { StoredFunction } from '../../../src/kernel/database/stored-function.ts';
import '../../../src/endpoints.ts';
import '../../../src/jobs/index.ts';
import { type Scan, tablesAbove } from './plans.ts';

/** A value for a parameter of each type; cached plans don't depend on values. */
const samples: Readonly<Record<string, string>> = {
  bigint: '1',
  integer: '1',
  numeric: '1',
  text: 'UTC',
  boolean: 'true',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  jsonb: '{}',
};

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Step[];
}

/**
 * Calls the function of every prepared trip with its cached plans, with all of its statements.
 * @returns the scans of whole tables with more rows than given
 */
export async function scansOfTrips(databaseUrl: string, largest: number): Promise<Scan[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await explainEverything(client);
    const tables = await tablesAbove(client, largest);
    const scans: Scan[] = [];
    client.on('notice', ({ message }) => {
      const explained = /plan:\n(\{.*\})$/s.exec(message ?? '')?.[1];
      if (explained === undefined) return;
      const { Plan: plan, 'Query Text': statement } = JSON.parse(explained) as {
        Plan: Step;
        'Query Text': string;
      };
      for (const table of scanned(plan).filter((name) => tables.has(name))) {
        scans.push({ table, statement: statement.replace(/\s+/g, ' ') });
      }
    });
    for (const stored of await tripFunctions()) await callWhole(client, stored);
    return scans;
  } finally {
    await client.end();
  }
}

/** Makes PostgreSQL send the plan of each statement that runs, also within functions. */
async function explainEverything(client: Client): Promise<void> {
  await client.query("load 'auto_explain'");
  const settings = {
    plan_cache_mode: 'force_generic_plan',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_format': 'json',
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query('select set_config($1, $2, false)', [name, value]);
  }
}

/** Calls a copy of the function that runs its statements without conditions. */
async function callWhole(client: Client, { name, text }: StoredFunction): Promise<void> {
  const unconditional = text.replace(/^ {2}IF (?!k_key )[^;]*? THEN$/gm, '  IF true THEN');
  await client.query(unconditional.replace(name, `pg_temp.${name}`));
  const { rows } = await client.query<{ types: string[] }>(
    'select proargtypes::regtype[]::text[] as types from pg_proc where oid = $1::regproc',
    [`pg_temp.${name}`],
  );
  // No caller, and no Idempotency-Key, whose stored answer would end the trip.
  const values = (rows[0]?.types ?? []).map((type, i) => (i < 5 ? null : sampleOf(type)));
  const marks = values.map((_, i) => `$${i + 1}`).join(', ');
  await client.query(`select * from pg_temp.${name}(${marks})`, values);
}

function sampleOf(type: string): string {
  const sample = samples[type.replace('[]', '')];
  if (sample === undefined) throw new Error(`There is no sample of the type ${type}.`);
  return type.endsWith('[]') ? `{${sample}}` : sample;
}

const scanned = (step: Step): string[] => [
  ...(step['Node Type'] === 'Seq Scan' ? [step['Relation Name'] ?? ''] : []),
  ...(step.Plans ?? []).flatMap(scanned),
];
