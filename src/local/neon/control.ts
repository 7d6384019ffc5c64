import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { CUTS } from './faults.ts';
import type { FaultHandle, Faults, Trips } from './faults.ts';
import { readBody } from './wire.ts';

const FaultBody = z.strictObject({
  statement: z.string().optional(),
  requestId: z.string().optional(),
  trip: z.int().positive().optional(),
  times: z.int().positive().optional(),
  delay: z.int().nonnegative().optional(),
  answer: z.strictObject({ status: z.int().min(200).max(599), body: z.string() }).optional(),
  sqlState: z.string().length(5).optional(),
  hold: z.boolean().optional(),
  cut: z.enum(CUTS).optional(),
});

/**
 * The faults and the trip counters for a test that runs in another process:
 * `POST /control/faults` (a Fault; answers its id), `GET /control/faults/ID` (answers the trip when
 * it is reached), `POST /control/faults/ID/release`, `DELETE /control/faults`,
 * `GET /control/trips[?request_id=…]`.
 */
export function controlHandler(faults: Faults, trips: Trips) {
  const handles: FaultHandle[] = [];
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, , what, id, action] = url.pathname.split('/');
    const handle = id === undefined ? undefined : handles[Number(id)];
    const call = [request.method, what, handle && 'ID', action].filter(Boolean).join(' ');
    if (call === 'POST faults' && id === undefined) {
      const fault = FaultBody.safeParse(JSON.parse(String(await readBody(request))));
      if (!fault.success) return send(response, 400, { message: z.prettifyError(fault.error) });
      handles.push(faults.next(fault.data));
      return send(response, 201, { id: handles.length - 1 });
    }
    if (call === 'GET faults ID') return send(response, 200, await handle?.reached);
    if (call === 'POST faults ID release') return send(response, 200, handle?.release());
    if (call === 'DELETE faults' && id === undefined) return send(response, 200, faults.clear());
    if (call === 'GET trips') {
      const requestId = url.searchParams.get('request_id') ?? '';
      return send(response, 200, {
        total: trips.total,
        of_request: trips.of(requestId),
        exchanges: trips.exchanges,
        exchanges_of_request: trips.exchangesOf(requestId),
      });
    }
    return send(response, 404, { message: 'not found' });
  };
}

function send(response: ServerResponse, status: number, body: object | void): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? {}));
}
