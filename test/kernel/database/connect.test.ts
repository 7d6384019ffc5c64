import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Fetcher } from '../../../src/kernel/database/neon.ts';
import { connect } from '../../../src/kernel/database/driver.ts';

const url = 'postgres://service:secret@ep-shop.example.test/store';
const nothing = { fields: [], rows: [], command: 'SELECT', rowCount: 0, rowAsArray: true };
/** Answers a statement or a batch of one like Neon. */
const answer = async () => Response.json({ ...nothing, results: [nothing] });

afterEach(() => vi.restoreAllMocks());

describe('A request to the database', () => {
  test('goes to the address derived from its url, and asks for a pooled connection', async () => {
    const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
    await (await connect(url)()).query('select 1');
    expect(sent).toHaveBeenCalledExactlyOnceWith(
      'https://api.example.test/sql',
      expect.objectContaining({
        method: 'POST',
        headers: expect.objectContaining({
          'Neon-Connection-String': expect.stringContaining('service:secret@ep-shop'),
          'Neon-Pool-Opt-In': 'true',
        }),
      }),
    );
  });

  test('goes to an endpoint that is given, and asks it for the same', async () => {
    const endpoint = { fetch: vi.fn<Fetcher['fetch']>(answer) };
    const sql = await connect(url, endpoint)();
    await sql.transaction([sql.query('select 1')], { readOnly: true });
    expect(endpoint.fetch).toHaveBeenCalledExactlyOnceWith(
      expect.any(String),
      expect.objectContaining({
        headers: expect.objectContaining({
          'Neon-Batch-Read-Only': 'true',
          'Neon-Pool-Opt-In': 'true',
        }),
      }),
    );
  });
});
