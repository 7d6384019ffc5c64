import type { Context } from 'hono';
import { BudgetSpent, type Need } from '../budget.ts';
import type { AuditedRequest } from '../command/audit.ts';
import type { IdempotentRequest, runChange } from '../command/change.ts';
import type { Answer } from '../command/decision.ts';
import type { Domain } from '../command/domain.ts';
import type { WriteAccess } from '../command/store.ts';
import { filesIn } from '../deployment/files.ts';
import type { Services } from '../deployment/services.ts';
import { kernelError } from '../errors/errors.ts';
import type { Outbound } from '../events/outbound.ts';
import { versionOf } from './conditions.ts';
import { type Call, type Endpoint, type Operations, isConditional } from './endpoint.ts';
import { projectionOf } from './projection.ts';
import type { RequestState } from './request-state.ts';
import { fileOf } from './streaming.ts';

export interface PassedRequest {
  readonly c: Context;
  readonly state: RequestState;
  readonly endpoint: Endpoint;
  readonly operations: Operations;
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  readonly idempotent: IdempotentRequest | undefined;
  /** Turns a handler's outcome into the answer, which is sent and stored under the key. */
  readonly render: (outcome: unknown) => Answer;
}

type AnyCall = Call<never, 'write', unknown, unknown, unknown, unknown>;

/** Makes the argument of the handler, without the caller. */
export function callOf(request: PassedRequest, query: unknown): Omit<AnyCall, 'principal'> {
  const { c, state, endpoint, input, operations } = request;
  const { services } = state;
  const { config, authority } = services;
  return {
    ...input,
    query,
    db: storeOf(request),
    now: state.now,
    ifMatch: isConditional(endpoint) ? versionOf(c.req.header('if-match')) : undefined,
    config,
    authority,
    userAgent: c.req.header('user-agent') ?? '',
    after: afterAnswer(request),
    outbound: outboundOnceAuthorised(state),
    files: filesIn(
      services.media,
      () => state.unit.authorised,
      () => state.unit.renew(),
    ),
    operations,
    contacts: services.contacts,
    file: (file) => fileOf(c, file),
    asset: (path) => fetchAsset(services, path),
    request: {
      method: c.req.raw.method,
      url: c.req.url,
      text: () => c.req.text(),
      stream: () => c.req.raw.body,
      header: (name) => c.req.header(name),
    },
  };
}

function storeOf(request: PassedRequest): WriteAccess<unknown> {
  const { state, endpoint, idempotent, render } = request;
  const { services } = state;
  const after = afterAnswer(request);
  const change = async (command: Parameters<typeof runChange>[0]) => {
    const { runChange } = await import('../command/change.ts');
    return runChange(command, {
      unit: state.unit,
      domain: services.domain,
      now: state.now,
      request: auditedRequest(endpoint, services.domain, state),
      idempotent,
      render,
      wake: () =>
        services.wake().catch((error: unknown) => {
          state.unscheduled = error as Error;
        }),
      following: services.following,
      deliver: () =>
        after(async (services) => {
          const { deliverNow } = await import('../events/delivery.ts');
          await deliverNow(services);
        }),
      follow: () => after(services.follow),
    });
  };
  return {
    query: (statements) => state.unit.query(statements),
    change: change as WriteAccess<unknown>['change'],
  };
}

function auditedRequest(
  { id: operation, access, everyday, secretReply, reply: [, schema] }: Endpoint,
  { personalFields }: Domain,
  { principal, id, now, params }: RequestState,
): AuditedRequest {
  const show = projectionOf(schema);
  return {
    ...{ principal, operation, id, now, personalFields },
    everyday: everyday === true,
    ofAdministrators: access.kind === 'admin',
    record: Object.values(params).join('/') || undefined,
    shown: secretReply
      ? undefined
      : (data) => (show({ success: true, data }) as { data: unknown }).data,
  };
}

async function fetchAsset({ assets, config }: Services, path: string): Promise<Response> {
  const response = await assets?.fetch(config.BASE_URL + path);
  if (response?.ok) return response;
  throw kernelError('rest_unavailable', {
    message: `${path} was not deployed, or the binding ASSETS is missing.`,
    retryAfter: 3600,
  });
}

/** Calls for a request to another server, and to load and write its result. */
const requestNeed: Need = { calls: 3, kept: 0 };

/** Access to other servers; it opens when the request is authorised. */
const outboundOnceAuthorised =
  (state: RequestState): Outbound =>
  async (url, init) => {
    const { outbound, budget } = state.services;
    if (!state.unit.authorised) throw new Error('The request is not authorised yet.');
    if (budget.fits(requestNeed) === 0) throw new BudgetSpent('Its outcome could not be written.');
    return outbound(url, init);
  };

/** Starts authorised work after the answer. */
const afterAnswer =
  ({ c, state }: Pick<PassedRequest, 'c' | 'state'>): AnyCall['after'] =>
  (work) => {
    const { services } = state;
    if (!state.unit.authorised) throw new Error('The request is not authorised yet.');
    if (services.config.DEV_JOBS !== 'on') return;
    const done = async () => {
      try {
        await work(services);
      } finally {
        if (services.budget.isShort) await services.goOn();
      }
    };
    c.executionCtx.waitUntil(done());
  };
