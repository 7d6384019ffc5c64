import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import type { TestSender } from './sender.ts';
import { SenderServer } from './server.ts';

const token = 'Qk3!fonnte+device';

const refused = (reason: string): Answered => ({ status: 200, body: { reason, status: false } });

/**
 * Fonnte with one device: docs.fonnte.com/api-send-message. It takes numbers separated by commas, each with
 * variables behind a bar, and refuses with the status 200.
 */
export class FonnteServer extends SenderServer implements TestSender {
  readonly id = 'fonnte';
  readonly medium = 'whatsapp';
  readonly knowsKeys = false;
  /** True if the seller's phone is linked. */
  connected = true;
  /** The rest of the device's quota. */
  quota = Number.POSITIVE_INFINITY;
  #last = 80_367_170;

  get variables() {
    return { FONNTE_TOKEN: token, FONNTE_API_URL: this.origin };
  }

  protected answer({ method, path, headers, body }: Asked): Answered {
    if (method !== 'POST' || path !== '/send') return { status: 404, body: {} };
    if (headers['authorization'] !== token) {
      return { status: 200, body: { Status: false, reason: 'token invalid' } };
    }
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return refused('input invalid');
    }
    const form = new URLSearchParams(body);
    const message = form.get('message') ?? '';
    if (message === '' || form.has('Status')) return refused('input invalid');
    const numbers = numbersOf(form.get('target') ?? '', form.get('countryCode') ?? '62');
    if (numbers === undefined) return refused('target invalid');
    if (!this.connected) return refused('request invalid on disconnected device');
    if (numbers.length > this.quota) return refused('insufficient quota');
    this.quota -= numbers.length;
    const id = numbers.map((to) => this.#send(to, message));
    return {
      status: 200,
      body: {
        detail: 'success! message in queue',
        id,
        process: 'pending',
        requestid: 2_937_124,
        status: true,
        target: numbers,
      },
    };
  }

  #send(to: string, text: string): string {
    const id = String(this.#last++);
    this.arrived.push({ id, to, subject: null, text, html: null });
    return id;
  }

  protected refused(kind: 'permanent' | 'temporary' | 'setup'): Answered {
    return {
      permanent: refused('target invalid'),
      temporary: { status: 429, body: {} },
      setup: refused('request invalid on disconnected device'),
    }[kind];
  }

  protected broken() {
    return {};
  }
}

/** The numbers of a target; undefined if one of them is malformed. */
function numbersOf(target: string, countryCode: string): string[] | undefined {
  const numbers = target.split(',').map((each) => each.split('|')[0] ?? '');
  if (!numbers.every((each) => /^\d{8,15}$/.test(each))) return undefined;
  return countryCode === '0' ? numbers : numbers.map((each) => each.replace(/^0/, countryCode));
}
