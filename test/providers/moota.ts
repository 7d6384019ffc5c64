import { createHmac } from 'node:crypto';
import type { Asked, Fault } from './provider.ts';
import { type Answered, ProviderServer } from './server.ts';

/** A line of a statement in Moota's form; in lists the amount is a text with two decimals. */
interface Line {
  readonly mutation_id: string;
  readonly account_number: string;
  readonly date: string;
  readonly created_at: string;
  readonly description: string;
  readonly amount: number;
  readonly type: 'CR' | 'DB';
}

/** A transfer; by default it arrives now and is recorded at once. */
interface Moved {
  readonly account: string;
  /** Rupiah, with or without decimals. */
  readonly amount: number;
  readonly type?: 'CR' | 'DB';
  readonly at?: Date;
  /** True if the bank reports only the day. */
  readonly dayOnly?: boolean;
  readonly description?: string;
}

const secret = 'AElSnSQj';
const token = 'moota-token';

/** The largest number of lines in a page; the documents don't state it. */
const mostPerPage = 10;

/** A moment in Western Indonesia: `2021-09-30 05:23:04`. */
const written = (at: Date) =>
  new Date(at.getTime() + 7 * 3_600_000).toISOString().replace('T', ' ').slice(0, 19);

/**
 * Moota with one user's accounts: moota.gitbook.io/technical-docs (mutation, webhook) and the mocks of moota-co/moota-
 * php-sdk. It keeps transfers, lists them, and posts new ones.
 */
export class MootaServer {
  readonly journal: Asked[];
  readonly #server: ProviderServer;
  readonly #lines: Line[] = [];
  #fresh: Line[] = [];
  readonly #misspelt = new Map<string, object>();
  #origin = '';
  #now: () => Date = () => new Date();

  constructor() {
    this.#server = new ProviderServer(
      (asked) => this.#answer(asked),
      () => 'look',
      () => ({ message: 'Server Error' }),
    );
    this.journal = this.#server.journal;
  }

  get variables() {
    return {
      MOOTA_SECRET_TOKEN: secret,
      MOOTA_TOKEN: token,
      MOOTA_API_URL: this.#origin,
    };
  }

  /** @param now its clock */
  async open(now: () => Date): Promise<void> {
    this.#now = now;
    this.#origin = await this.#server.open();
  }

  close = () => this.#server.close();

  fail = (fault: Fault) => this.#server.fail('look', fault);

  /**
   * Adds a transfer to an account.
   * @returns Moota's id of it
   */
  move({ account, amount, type = 'CR', at = this.#now(), dayOnly, description = '' }: Moved) {
    const date = written(at);
    const line = {
      mutation_id: `m${crypto.randomUUID().slice(0, 10)}`,
      account_number: account,
      date: dayOnly ? `${date.slice(0, 10)} 00:00:00` : date,
      created_at: date,
      description,
      amount,
      type,
    };
    this.#lines.unshift(line);
    this.#fresh.push(line);
    return line.mutation_id;
  }

  /** The new mutations as one request; each is posted once. */
  takeCallback(baseUrl: string): Request {
    const lines = this.#fresh;
    this.#fresh = [];
    return this.#posted(baseUrl, JSON.stringify(lines.map(shown)));
  }

  oddCallback = (baseUrl: string, lines: unknown): Request =>
    this.#posted(baseUrl, JSON.stringify(lines));

  /** Changes a line in lists. */
  misspell(id: string, fields: object): void {
    this.#misspelt.set(id, fields);
  }

  /** A line in the form of the webhook. */
  line(id: string): object {
    const [line] = this.#lines.filter(({ mutation_id }) => mutation_id === id);
    if (!line) throw new Error(`Moota knows of no mutation ${id}.`);
    return shown(line);
  }

  again(baseUrl: string, ...ids: readonly string[]): Request {
    const lines = ids.flatMap((id) => this.#lines.filter((line) => line.mutation_id === id));
    return this.#posted(baseUrl, JSON.stringify(lines.map(shown)));
  }

  /** The request of the test button on the webhook's page. */
  testButton(baseUrl: string): Request {
    const line = {
      mutation_id: 'testing',
      account_number: '12345',
      date: written(this.#now()),
      created_at: written(this.#now()),
      description: 'TESTING',
      amount: 10_000,
      type: 'CR' as const,
    };
    return this.#posted(baseUrl, JSON.stringify([shown(line)]));
  }

  /** Forged callbacks: one without the secret, and one with a genuine signature and another amount. */
  forgeries(baseUrl: string, id: string, amount: number): Request[] {
    const [line] = this.#lines.filter(({ mutation_id }) => mutation_id === id);
    if (!line) throw new Error(`Moota knows of no mutation ${id}.`);
    const text = JSON.stringify([shown({ ...line, amount })]);
    const real = JSON.stringify([shown(line)]);
    return [undefined, '', signature(text, 'guessed'), signature(real)].map((proof) =>
      post(baseUrl, text, proof),
    );
  }

  #posted = (baseUrl: string, text: string) => post(baseUrl, text, signature(text));

  #answer({ method, path, headers }: Asked): Answered {
    const { pathname, searchParams } = new URL(path, this.#origin);
    if (method !== 'GET' || pathname !== '/api/v2/mutation') {
      return { status: 404, body: { message: 'Not Found' } };
    }
    if (headers['authorization'] !== `Bearer ${token}`) {
      return { status: 401, body: { error: 'Unauthenticated.' } };
    }
    const [from = '', to = ''] = ['start_date', 'end_date'].map(
      (name) => searchParams.get(name) ?? '',
    );
    if (![from, to].every((day) => /^\d{4}-\d\d-\d\d$/.test(day))) {
      return { status: 422, body: { message: 'The given data was invalid.' } };
    }
    const type = searchParams.get('type');
    const wanted = this.#lines.filter(
      (line) =>
        line.date >= from && line.date.slice(0, 10) <= to && (type === null || line.type === type),
    );
    const perPage = Math.min(mostPerPage, Number(searchParams.get('per_page') ?? 20));
    const page = Number(searchParams.get('page') ?? 1);
    const data = wanted.slice((page - 1) * perPage, page * perPage);
    return {
      status: 200,
      body: {
        current_page: page,
        data: data.map((line) => ({
          ...shown(line),
          amount: line.amount.toFixed(2),
          ...this.#misspelt.get(line.mutation_id),
        })),
        last_page: Math.max(1, Math.ceil(wanted.length / perPage)),
        per_page: perPage,
        total: wanted.length,
      },
    };
  }
}

const shown = (line: Line) => ({
  ...line,
  note: '',
  balance: 3_799_460.89,
  updated_at: line.created_at,
  token: line.mutation_id,
  bank_id: '4Aqz9OmvWPV',
  taggings: [],
  bank: { atas_nama: 'Demo Store', account_number: line.account_number, bank_type: 'bca' },
});

const signature = (text: string, key = secret) =>
  createHmac('sha256', key).update(text).digest('hex');

const post = (baseUrl: string, body: string, proof: string | undefined) =>
  new Request(`${baseUrl}/payments/moota/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'MootaBot/1.5',
      ...(proof !== undefined && { signature: proof }),
    },
    body,
  });
