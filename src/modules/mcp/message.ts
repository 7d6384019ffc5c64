import * as z from 'zod';
import { anyScope, endpoint, queryBoolean } from '../../kernel/endpoint/declare.ts';
import type { Answer } from '../../kernel/command/decision.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { type Scope, scopes } from '../../schema/scopes.ts';
import { answerRequest } from './answers.ts';
import { Fault, readMessage } from './protocol.ts';

/** Bytes: an operation's limit, and the envelope. */
const limit = 1_064_960;

const everyScope = scopes.map(({ name }) => name) as [Scope, ...Scope[]];

const Response = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z
      .union([z.string(), z.int()])
      .optional()
      .meta({ examples: [1] }),
    result: z
      .looseObject({})
      .optional()
      .meta({
        examples: [
          {
            resultType: 'complete',
            content: [{ type: 'text', text: '{"success":true,"data":{"id":12}}' }],
          },
        ],
      }),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.looseObject({}).optional() })
      .optional()
      .describe('In place of `result`: the message could not be understood.'),
  })
  .meta({ id: 'McpResponse' });

export const receiveMessage = endpoint({
  id: 'mcp.message',
  namespace: 'root',
  route: ['POST /mcp'],
  summary: 'Send a message of the Model Context Protocol',
  description:
    'For agents: the address to give to a client of the protocol (streamable HTTP; revisions 2026-07-28, 2025-11-25 and 2025-06-18, without sessions). The body is one JSON-RPC message. Its tools are the operations that the scopes of the API key allow. A call is authorised, checked, limited and answered like the operation itself. A refusal is a result with `isError` and the error as its text.',
  access: anyScope(...everyScope),
  // A tool writes if its operation does.
  effect: 'read',
  query: z.object({
    writes: queryBoolean
      .optional()
      .describe('Include tools that change data. `false` when absent.'),
  }),
  rawBody: limit,
  reply: [200, Response],
  errors: ['rest_forbidden'],
}).handle(async (call) => {
  const { request, config } = call;
  const origin = request.header('origin');
  if (origin !== undefined && origin !== config.BASE_URL) {
    return refuse('rest_forbidden', { message: 'Pages of other origins may not call this.' });
  }
  let id: string | number | undefined;
  try {
    const message = readMessage(await request.text());
    ({ id } = message);
    if (id === undefined) return { status: 202, text: '' };
    return await answerRequest({ ...message, id }, call);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return faultAnswer(fault, id);
  }
});

const faultAnswer = ({ code, message, data, status }: Fault, id?: string | number): Answer => ({
  status,
  text: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }),
});
