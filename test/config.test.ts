import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { generatePepper } from '../src/kernel/auth/secret-token.ts';
import { generateSessionKey } from '../src/kernel/auth/session-token.ts';
import { readConfig } from '../src/config.ts';
import { openDeployment } from '../src/services.ts';
import { systemClock } from '../src/lib/instant.ts';
import { type Deployment, limitVariables, missing } from '../src/cli/deployment.ts';

const secrets = {
  DATABASE_URL: 'postgres://service:secret@db.example.test/store',
  API_KEY_PEPPERS: generatePepper(1),
  SESSION_KEYS: JSON.stringify({ keys: [await generateSessionKey()] }),
};
const required = { ...secrets, BASE_URL: 'https://shop.example' };
const wrangler: Deployment = readWranglerConfig({
  config: resolve(import.meta.dirname, '../wrangler.toml'),
});

describe('The address of the service', () => {
  test.for(['https://shop.example/', 'HTTPS://Shop.example', 'https://shop.example:443'])(
    'given as %s is https://shop.example, to which paths are appended',
    (BASE_URL) => {
      expect(readConfig({ ...required, BASE_URL }).BASE_URL).toBe('https://shop.example');
    },
  );

  test.for([
    'ftp://shop.example',
    'https://shop.example/api',
    'https://shop.example/?a',
    'shop',
    '',
  ])('can not be "%s"', (BASE_URL) => {
    expect(() => readConfig({ ...required, BASE_URL })).toThrow(/BASE_URL must be the address/);
  });
});

test('Origins are what browsers send, with or without a slash behind them', () => {
  const origins = (CORS_ORIGINS: string) => readConfig({ ...required, CORS_ORIGINS }).CORS_ORIGINS;
  expect(origins('http://localhost:5173/, https://App.example')).toEqual([
    'http://localhost:5173',
    'https://app.example',
  ]);
  expect(origins('*')).toEqual(['*']);
  for (const wrong of ['localhost', 'https://app.example/shop', 'file:///shop'])
    expect(() => origins(wrong)).toThrow(/CORS_ORIGINS must be origins/);
});

describe('The size of a rate limit', () => {
  const binding = { limit: async () => ({ success: true }) };
  const bindings = { CALLER_RATE_LIMIT: binding, FAILURE_RATE_LIMIT: binding };
  const allowed = (name: string) =>
    wrangler.ratelimits.find((limit) => limit.name === name)?.simple;

  test('is the size of its binding, as the responses state it', async () => {
    const variables = Object.fromEntries(
      limitVariables(wrangler).map((variable) => variable.split(':')),
    );
    const environment = { ...required, ...wrangler.vars, ...variables, ...bindings };
    const { callers, failures } = await openDeployment(environment, systemClock);
    const { limit: quota, period: window } = allowed('CALLER_RATE_LIMIT') ?? {};
    expect(callers).toEqual({ binding, allowed: [quota, window] });
    const failed = allowed('FAILURE_RATE_LIMIT');
    expect(failures).toEqual({ binding, allowed: [failed?.limit, failed?.period] });
    expect(failed).not.toEqual(allowed('CALLER_RATE_LIMIT'));
    expect(Object.keys(variables)).toHaveLength(wrangler.ratelimits.length);
  });

  test('is left out of the responses if it is not stated', async () => {
    const limited = await openDeployment({ ...required, ...bindings }, systemClock);
    expect([limited.callers, limited.failures]).toEqual([{ binding }, { binding }]);
    const { callers, failures } = await openDeployment(required, systemClock);
    expect([callers, failures]).toEqual([undefined, undefined]);
  });
});

describe('The check of a deployment reports', () => {
  const own = { ...wrangler, vars: { BASE_URL: 'https://api.shop.example' } };

  test('only the missing address of the wrangler.toml of the repository', () => {
    expect(missing(wrangler)).toEqual([expect.stringMatching(/^BASE_URL is still https:/)]);
    expect(missing(own)).toEqual([]);
  });

  test('missing rate limits and a missing address in an environment without them', () => {
    expect(missing({ ...own, vars: {}, ratelimits: [] })).toEqual([
      'BASE_URL is missing among the vars.',
      'The rate limit CALLER_RATE_LIMIT is missing: an environment needs its own.',
      'The rate limit FAILURE_RATE_LIMIT is missing: an environment needs its own.',
    ]);
    const [first, ...others] = wrangler.ratelimits;
    expect(first).toBeDefined();
    expect(missing({ ...own, ratelimits: others })).toHaveLength(1);
  });

  test('a misspelled variable', () => {
    const misspelled = { ...own, vars: { ...own.vars, REST_ROTO: '/api' } };
    expect(missing(misspelled)).toEqual(['The service knows no variable REST_ROTO.']);
  });

  test('an environment that wrangler.toml does not have', () => {
    const misspelled = { ...own, targetEnvironment: 'cutsomer', definedEnvironments: ['customer'] };
    expect(missing(misspelled)).toEqual([
      'There is no environment cutsomer: it has only customer.',
    ]);
    expect(missing({ ...misspelled, definedEnvironments: undefined })).toEqual([
      'There is no environment cutsomer: it has only the one at the top.',
    ]);
    expect(missing({ ...misspelled, targetEnvironment: 'customer' })).toEqual([]);
  });

  test('a missing scheduler, unless the cron runs each minute', () => {
    const without = { ...own, durable_objects: { bindings: [] } };
    expect(missing(without)).toEqual([
      'The Durable Object SCHEDULER is missing: bind it, or set crons to ["* * * * *"].',
    ]);
    expect(missing({ ...without, triggers: { crons: ['* * * * *'] } })).toEqual([]);
  });
});
