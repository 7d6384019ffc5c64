import { sql } from 'drizzle-orm';
import { and, eq } from 'drizzle-orm';
import {
  Collision,
  DatabaseUnavailable,
  GuardFailure,
  LockTimeout,
  UniqueViolation,
} from '../db/errors.ts';
import { idempotencyKeys } from '../db/schema/platform.ts';
import { type Results, type Statement, type Statements, build, raw } from '../db/statements.ts';
import type { UnitOfWork } from '../db/unit-of-work.ts';
import { insertEvents } from '../events/outbox.ts';
import { type AuditedRequest, auditRow } from './audit.ts';
import type { Answer, Decision } from './endpoint.ts';
import { ApiError, type ErrorCode, type Refusal, errorTable, isRefusal, refuse } from './errors.ts';
import { constraintErrors, takenErrors } from './constraints.ts';

/**
 * How often a command is decided before a moving state makes it a `rest_conflict`. Whoever loses a try
 * loses it to another's change, so that this many callers of one record all get their turn.
 */
const tries = 10;

/** How often it is decided where it collided with another, or what it drew was taken. */
const fewTries = 3;

/** Lets callers who keep meeting drift apart. */
const drift = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(1000, 5 * 2 ** attempt)));

/** A request's Idempotency-Key with what it stands for. */
export interface IdempotentRequest {
  readonly operation: string;
  readonly key: string;
  /** A hash of everything the request says. */
  readonly fingerprint: string;
}

interface Command<S extends Statements> {
  /** Made anew for each try where it depends on what the one before found. */
  readonly load: S | (() => S);
  readonly decide: (loaded: Results<S>) => Refusal | Decision<unknown>;
}

interface Surroundings {
  readonly unit: UnitOfWork;
  readonly now: Date;
  /** The request that asks for it; none for what the service does of itself. */
  readonly request: AuditedRequest | undefined;
  readonly idempotent: IdempotentRequest | undefined;
  /** Turns a reply or a refusal into the answer that is sent, and stored under the key. */
  readonly render: (outcome: unknown) => Answer;
  /** Called once events are committed that can be delivered at once. */
  readonly deliver: () => void;
}

/** Refusals of a moment, after which the same request is worth another try. */
const passing: readonly ErrorCode[] = ['rest_conflict', 'rest_idempotency_in_progress'];

/** Whether a refusal is stored under an Idempotency-Key; of the others a retry may fare better. */
const isStored = (code: ErrorCode): boolean =>
  !passing.includes(code) && [400, 404, 409].includes(errorTable[code][0]);

/** Runs a command: load, decide, write; again where the state moved in between. */
export async function runChange<S extends Statements>(
  command: Command<S>,
  surroundings: Surroundings,
): Promise<Answer | Refusal> {
  const { unit, idempotent, render } = surroundings;
  let settled: Refusal | undefined;
  for (let attempt = 1; ; attempt++) {
    const { load: statements } = command;
    const loaded = await load(
      typeof statements === 'function' ? statements() : statements,
      surroundings,
    );
    if (loaded.replay) return loaded.replay;
    const outcome = settled ?? command.decide(loaded.results);
    const refused = isRefusal(outcome);
    if (refused && (!idempotent || !isStored(outcome.refused))) return outcome;
    const answer = render(refused ? outcome : outcome.reply);
    if (!refused) await outcome.first?.();
    try {
      const key = claim(answer, surroundings);
      await (refused ? unit.write(key) : writeDecision(key, outcome, surroundings));
      return answer;
    } catch (error) {
      if (mayDecideAgain(error, attempt)) {
        // The first further try comes at once: mostly there was one other caller, who is done.
        if (attempt > 1 && !(error instanceof Collision)) await drift(attempt);
        continue;
      }
      const final = finalError(error);
      if (!idempotent || !(final instanceof ApiError) || !isStored(final.code)) throw final;
      // What the database refused is stored like what a decision refuses.
      settled = refuse(final.code);
    }
  }
}

async function load<S extends Statements>(statements: S, { unit, idempotent }: Surroundings) {
  if (!idempotent && Object.keys(statements).length === 0) return { results: {} as Results<S> };
  const { $stored, ...results } = await unit.load({
    ...statements,
    ...(idempotent && { $stored: findStored(idempotent) }),
  } as Statements);
  const [stored] = ($stored ?? []) as { fingerprint: string; status: number; body: string }[];
  if (stored && stored.fingerprint !== idempotent?.fingerprint) {
    throw new ApiError('rest_idempotency_mismatch');
  }
  const replay = stored && { status: stored.status, text: stored.body, replayed: true };
  return { results: results as Results<S>, replay };
}

/** What is stored under the key; the caller is the one the batch's first statement authorised. */
const findStored = ({ operation, key }: IdempotentRequest) =>
  build
    .select({
      fingerprint: idempotencyKeys.fingerprint,
      status: idempotencyKeys.status,
      body: idempotencyKeys.body,
    })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.caller, sql`current_setting('svc.caller')`),
        eq(idempotencyKeys.operation, operation),
        eq(idempotencyKeys.key, key),
      ),
    );

/** Writes the rows, what the audit log says of it, and then the events, in one transaction. */
async function writeDecision(
  key: readonly Statement[],
  { write, events = [], audit }: Decision<unknown>,
  { unit, now, request, deliver }: Surroundings,
): Promise<void> {
  const rows = [...key, ...write, ...(request ? auditRow(request, audit) : [])];
  if (events.length === 0) {
    await unit.write(rows);
    return;
  }
  const results = await unit.write([...rows, insertEvents(events, now)]);
  const announced = results.at(-1) as { rows: { due: boolean }[] };
  if (announced.rows[0]?.due) deliver();
}

/** Takes the key in the write's own transaction; a twin in flight makes it wait. */
function claim(answer: Answer, { idempotent, now }: Surroundings) {
  if (!idempotent) return [];
  const { operation, key, fingerprint } = idempotent;
  return [
    raw(
      sql`select svc_claim_idempotency(${operation}, ${key}, ${fingerprint}, ${answer.status},
        ${answer.text}, ${now.toISOString()})`,
    ),
  ];
}

/** Whether a failed write, which wrote nothing, can be decided again on a fresh state. */
function mayDecideAgain(error: unknown, attempt: number): boolean {
  if (error instanceof UniqueViolation && error.constraint === 'idempotency_keys_pkey') return true;
  // What is taken stays taken: another decision would meet the same row.
  if (error instanceof UniqueViolation && error.constraint in takenErrors) return false;
  if (error instanceof GuardFailure && error.code !== 'rest_conflict') return attempt < 2;
  if (error instanceof UniqueViolation && error.constraint in constraintErrors) {
    return attempt < fewTries;
  }
  if (error instanceof Collision) return attempt < fewTries;
  const moved = error instanceof GuardFailure || error instanceof UniqueViolation;
  return moved && attempt < tries;
}

/** What the request is answered with when it is not decided again. */
function finalError(error: unknown): unknown {
  if (error instanceof GuardFailure && error.code in errorTable) {
    return new ApiError(error.code as ErrorCode);
  }
  if (error instanceof UniqueViolation) {
    const code = constraintErrors[error.constraint];
    return code ? new ApiError(code) : new ApiError('rest_conflict');
  }
  if (error instanceof LockTimeout) {
    return new ApiError('rest_idempotency_in_progress', { retryAfter: 2 });
  }
  if (error instanceof Collision) return new DatabaseUnavailable(error.message, { cause: error });
  return error;
}
