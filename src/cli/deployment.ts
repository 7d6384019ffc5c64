import { variableNames } from '../config.ts';

/** The fields of an environment in wrangler.toml that are read here. */
export interface Deployment {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly ratelimits: readonly {
    readonly name: string;
    readonly simple: { readonly limit: number; readonly period: number };
  }[];
  readonly durable_objects: { readonly bindings: readonly { readonly name: string }[] };
  readonly triggers: { readonly crons?: readonly string[] | undefined };
  /** The name of the environment; undefined for the top level of `wrangler.toml`. */
  readonly targetEnvironment: string | undefined;
  readonly definedEnvironments: readonly string[] | undefined;
}

/** The worker's variable with the number of a rate limit, by its binding. */
const limits = { CALLER_RATE_LIMIT: 'CALLER_LIMIT', FAILURE_RATE_LIMIT: 'FAILURE_LIMIT' };

/** The cron of a deployment without a scheduler. */
const EACH_MINUTE = '* * * * *';

export const isExampleAddress = (address: string): boolean =>
  /\.example\.workers\.dev\/?$/.test(address);

/**
 * Lists the faults of a deployment that nothing else reports. Wrangler only warns that a named environment inherits
 * neither variables nor rate limits nor Durable Objects, and replaces an unknown environment by the top level.
 */
export function missing(deployment: Deployment): string[] {
  const { vars, ratelimits, durable_objects, triggers } = deployment;
  const { targetEnvironment: environment, definedEnvironments: known = [] } = deployment;
  if (environment !== undefined && !known.includes(environment))
    return [
      `There is no environment ${environment}: it has only ${known.join(', ') || 'the one at the top'}.`,
    ];
  const address = vars['BASE_URL'];
  const names = new Set(ratelimits.map(({ name }) => name));
  const hasScheduler = durable_objects.bindings.some(({ name }) => name === 'SCHEDULER');
  return [
    ...(typeof address === 'string' ? [] : ['BASE_URL is missing among the vars.']),
    ...(typeof address === 'string' && isExampleAddress(address)
      ? [`BASE_URL is still ${address}: set it to the address of this deployment.`]
      : []),
    ...Object.keys(vars)
      .filter((name) => !variableNames.includes(name))
      .map((name) => `The service knows no variable ${name}.`),
    ...Object.keys(limits)
      .filter((name) => !names.has(name))
      .map((name) => `The rate limit ${name} is missing: an environment needs its own.`),
    ...(hasScheduler || triggers.crons?.includes(EACH_MINUTE)
      ? []
      : [`The Durable Object SCHEDULER is missing: bind it, or set crons to ["${EACH_MINUTE}"].`]),
  ];
}

/** Returns the rate limits as variables of the worker: `NAME:<requests>/<seconds>`. */
export function limitVariables({ ratelimits }: Pick<Deployment, 'ratelimits'>): string[] {
  return Object.entries(limits).flatMap(([name, variable]) => {
    const simple = ratelimits.find((limit) => limit.name === name)?.simple;
    return simple ? [`${variable}:${simple.limit}/${simple.period}`] : [];
  });
}
