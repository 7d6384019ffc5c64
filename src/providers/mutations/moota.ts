import * as z from 'zod';
import type { Config } from '../../config.ts';
import { type Instant, addSeconds } from '../../lib/instant.ts';
import { unitsOf } from '../../lib/money.ts';
import { cut } from '../../lib/text.ts';
import { ProviderError, ask, kindOf, parsed } from '../http.ts';
import { hmacSha256, isSameSecret, sha512 } from '../signatures.ts';
import type { Mutation, MutationPage, MutationSource } from './source.ts';

interface Settings {
  readonly secret: string;
  /** The token that lists mutations; without it, no lists are read. */
  readonly token: string | undefined;
  readonly origin: string;
}

/** Its accounts are in rupiah, written with two decimals: `12111.00`. */
const exponent = 2;

const pageSize = 100;

const mostText = 1000;

/**
 * Reads bank mutations from Moota.
 * @returns undefined if it isn't configured
 * @throws Error naming the missing variables
 */
export function moota(config: Config): MutationSource | undefined {
  const settings = settingsOf(config);
  return settings && sourceOf(settings);
}

function settingsOf({
  MOOTA_SECRET_TOKEN: secret,
  MOOTA_TOKEN: token,
  MOOTA_API_URL: origin,
}: Config): Settings | undefined {
  if ([secret, token, origin].every((value) => value === undefined)) return undefined;
  if (secret === undefined) {
    throw new Error(
      'MOOTA_SECRET_TOKEN is missing: set it to the secret token of the webhook at Moota.',
    );
  }
  return { secret, token, origin: origin ?? 'https://app.moota.co' };
}

function sourceOf({ secret, token, origin }: Settings): MutationSource {
  return {
    id: 'moota',
    unitOf: (currency) => (currency === 'IDR' ? { exponent, step: 1 } : undefined),

    async read(callback) {
      const signature = callback.header('signature') ?? '';
      if (!isSameSecret(await hmacSha256(secret, callback.text), signature)) return 'forged';
      return mutationsOf(parsed(callback.text) ?? callback.text);
    },

    ...(token !== undefined && {
      async list(since: Instant, page: number, http, now: Date): Promise<MutationPage> {
        const query = new URLSearchParams({
          type: 'CR',
          start_date: dayOf(since),
          end_date: dayOf(now.toISOString()),
          page: String(page),
          per_page: String(pageSize),
        });
        const { status, json } = await ask(http, {
          method: 'GET',
          url: `${origin}/api/v2/mutation?${query.toString()}`,
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        });
        if (status !== 200) throw new ProviderError(kindOf(status), String(status));
        const answer = Listed.safeParse(json);
        if (!answer.success) throw new ProviderError('unknown', 'malformed_answer');
        const { data, last_page } = answer.data;
        return { mutations: await mutationsOf(data), isLast: page >= last_page };
      },
    }),
  } satisfies MutationSource;
}

const Listed = z.object({ data: z.array(z.unknown()), last_page: z.int() });

const Row = z.object({
  mutation_id: z.string().min(1).max(200),
  account_number: z.string().max(100),
  date: z.string(),
  created_at: z.string().nullish(),
  description: z.string().nullish(),
  amount: z.union([z.string(), z.number()]),
  type: z.enum(['CR', 'DB']),
});

/** Readable fields of a row that is unreadable as a whole. */
const Rest = z.object({
  mutation_id: z.string().min(1).max(200).optional().catch(undefined),
  account_number: z.string().max(100).catch(''),
  description: z.string().catch(''),
  type: z.enum(['CR', 'DB']).catch('CR'),
});

const mutationsOf = (json: unknown): Promise<Mutation[]> =>
  Promise.all(
    (Array.isArray(json) ? json : [json]).map(async (row) => readRow(row) ?? unreadRow(row)),
  );

function readRow(row: unknown): Mutation | undefined {
  const found = Row.safeParse(row).data;
  if (!found) return undefined;
  const amount = unitsOf(String(found.amount), exponent);
  const occurred_at = occurredAt(found.date, found.created_at ?? '');
  if (amount === undefined || occurred_at === undefined) return undefined;
  return {
    id: storable(found.mutation_id),
    ...described(found),
    amount,
    occurred_at,
    unread: null,
  };
}

async function unreadRow(row: unknown): Promise<Mutation> {
  const text = typeof row === 'string' ? row : JSON.stringify(row);
  const { mutation_id, ...rest } = Rest.safeParse(row).data ?? Rest.parse({});
  return {
    id: storable(mutation_id ?? (await sha512(text)).slice(0, 32)),
    ...described(rest),
    amount: null,
    occurred_at: null,
    unread: cut(storable(text), mostText),
  };
}

const described = ({
  account_number,
  type,
  description,
}: Pick<z.output<typeof Row>, 'account_number' | 'type' | 'description'>) => ({
  account_number: storable(account_number),
  currency: 'IDR',
  direction: type === 'CR' ? ('credit' as const) : ('debit' as const),
  description: cut(storable(description ?? ''), mostText),
});

/** Removes characters that the database refuses. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '');

/**
 * Derives the time of a mutation from its date and the time at which Moota recorded it. Most banks give only a day, as
 * its first second. Then the mutation was recorded later on that day, or happened by its end.
 */
function occurredAt(date: string, noted: string): Instant | undefined {
  const at = instantOf(date);
  if (at === undefined || !/(?: 00:00:00|^\S+)$/.test(date)) return at;
  const seen = instantOf(noted) ?? '';
  const end = addSeconds(at, 86_399);
  return seen >= at && seen <= end ? seen : end;
}

/** The zone of Moota's times: western Indonesia. */
const ahead = 7 * 3600;

/** Parses a moment as Moota writes it, `2021-09-30 05:23:04`, or a day. */
function instantOf(text: string): Instant | undefined {
  const [, day, time = '00:00:00'] = /^(2\d{3}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?$/.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(at) ? undefined : addSeconds(new Date(at).toISOString(), -ahead);
}

const dayOf = (at: Instant) => addSeconds(at, ahead).slice(0, 10);
