import * as z from 'zod';
import { decodeBase64 } from '../../lib/bytes.ts';
import { isDeeperThan } from '../../lib/json.ts';

/** Revisions without a handshake: every request names its revision. Newest first. */
const modern = ['2026-07-28'];

/** Revisions with a handshake whose sessions are optional for a server. Newest first. */
const legacy = ['2025-11-25', '2025-06-18'];

export const versions = [...modern, ...legacy];

/** The revision for a client that starts with a handshake. */
export const agreedVersion = (asked: unknown): string =>
  legacy.find((version) => version === asked) ?? legacy[0] ?? '';

export const codes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  headers: -32_020,
  version: -32_022,
} as const;

/** A faulty message, which had no effect. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, { status = 400, data }: FaultDetail = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

interface FaultDetail {
  readonly status?: number;
  readonly data?: object;
}

/** A `_meta` field that the protocol defines. */
export const metaName = (name: string) => `io.modelcontextprotocol/${name}`;

const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.looseObject({ _meta: z.record(z.string(), z.unknown()).optional() }).default({}),
});
export type Message = z.output<typeof Message>;

/** The deepest allowed nesting of a message. */
const depthLimit = 110;

/**
 * A message without an id is a notification.
 * @throws Fault
 */
export function readMessage(text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault(codes.parse, 'The message is not valid JSON.');
  }
  if (Array.isArray(value)) throw new Fault(codes.request, 'Send one message at a time, no batch.');
  const { success, data } = Message.safeParse(value);
  if (!success || isDeeperThan(depthLimit, data.params)) {
    throw new Fault(codes.request, 'This is not a request or notification of JSON-RPC 2.0.');
  }
  return data;
}

type Header = (name: string) => string | undefined;

/**
 * Tells if a request is of a revision without a handshake. Each request must name a supported revision in its headers,
 * except the one that starts a handshake.
 * @throws Fault
 */
export function isModern(message: Message, header: Header): boolean {
  const { _meta: meta = {} } = message.params;
  const version = meta[metaName('protocolVersion')];
  const said = header('mcp-protocol-version');
  const speaksModern = version !== undefined || modern.includes(said ?? '');
  if (message.method === 'initialize' && !speaksModern) return false;
  if (said === undefined) throw mismatch('MCP-Protocol-Version');
  if (version !== undefined && version !== said) throw mismatch('MCP-Protocol-Version');
  if (!(speaksModern ? modern : legacy).includes(said)) {
    const data = { supported: versions, requested: said };
    throw new Fault(codes.version, 'This revision of the protocol is not supported.', { data });
  }
  if (speaksModern) checkModern(message, header);
  return speaksModern;
}

/** A request without a handshake must describe itself in `_meta`, and in headers for proxies. */
function checkModern({ method, params }: Message, header: Header): void {
  const { _meta: meta = {} } = params;
  if (meta[metaName('protocolVersion')] === undefined) {
    throw new Fault(codes.params, `_meta lacks ${metaName('protocolVersion')}.`);
  }
  const capabilities = meta[metaName('clientCapabilities')];
  if (typeof capabilities !== 'object' || capabilities === null) {
    throw new Fault(codes.params, `_meta lacks ${metaName('clientCapabilities')}.`);
  }
  if (header('mcp-method') !== method) throw mismatch('Mcp-Method');
  const name = header('mcp-name');
  if (method === 'tools/call' && (name === undefined || decoded(name) !== params['name'])) {
    throw mismatch('Mcp-Name');
  }
}

const mismatch = (name: string) =>
  new Fault(codes.headers, `The header ${name} contradicts the message.`);

/** Header texts are in Base64 if they aren't printable. */
function decoded(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  try {
    return new TextDecoder().decode(decodeBase64(encoded));
  } catch {
    return undefined;
  }
}
