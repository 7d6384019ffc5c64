import { sql } from 'drizzle-orm';
import {
  Collision,
  DatabaseUnavailable,
  GuardFailure,
  LockTimeout,
  UniqueViolation,
} from '../database/errors.ts';
import { type Results, type Statement, type Statements, raw } from '../database/statements.ts';
import { type Reads, PreparedCall } from '../database/prepared.ts';
import type { UnitOfWork } from '../database/unit-of-work.ts';
import type { KeyedRequest } from '../database/stored-answer.ts';
import { type Following, insertEvents } from '../events/outbox.ts';
import { type AuditedRequest, auditRow } from './audit.ts';
import type { Answer, Decision } from './decision.ts';
import { type Refusal, isRefusal, kernelError, refuse } from '../errors/errors.ts';
import type { Domain } from './domain.ts';
import type { ErrorCode } from '../vocabulary/vocabulary.ts';

/**
 * Tries before the request becomes a `rest_conflict`. A try is only lost to another caller who changed the record or
 * drew the same value, so this many callers of one record all succeed.
 */
const tries = 10;

/** Tries if a transaction collides with another. */
const fewTries = 3;

/** Spreads callers that keep colliding over time. */
const drift = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(1000, 5 * 2 ** attempt)));

/** A request's Idempotency-Key with the hash of the request. */
export interface IdempotentRequest extends KeyedRequest {
  /** A hash of the whole request. */
  readonly fingerprint: string;
}

interface Command<S extends Statements> {
  /** A function if the loaded data depend on the previous try. */
  readonly load: Reads<S> | ((again: never) => Reads<S>);
  readonly decide: (loaded: Results<S>, again: never) => Refusal | Decision<unknown>;
}

interface ChangeContext {
  readonly unit: UnitOfWork;
  readonly domain: Domain;
  readonly now: Date;
  /** Undefined if the service acts by itself. */
  readonly request: AuditedRequest | undefined;
  readonly idempotent: IdempotentRequest | undefined;
  /** Turns a reply or a refusal into the answer, which is sent and stored under the key. */
  readonly render: (outcome: unknown) => Answer;
  /** Resolves when the scheduler is awake for the write's due work, or could not be reached. Never rejects. */
  readonly wake: () => Promise<void>;
  /** Builds the rows that events cause besides deliveries, such as queued messages. */
  readonly following: Following;
  /** Called if committed events can be delivered at once. */
  readonly deliver: () => void;
  /** Called if the work of these rows can be done at once. */
  readonly follow: () => void;
}

/** Temporary refusals: the same request may succeed later. */
const passing: readonly ErrorCode[] = ['rest_conflict', 'rest_idempotency_in_progress'];

/** True if a refusal is stored under an Idempotency-Key. A retry may succeed after any other. */
const isStored = (code: ErrorCode, { errors }: Domain): boolean =>
  !passing.includes(code) && [400, 404, 409].includes(errors[code]?.[0] ?? 500);

/** Runs a command: load, decide, write. Repeats all three if the state changed in between. */
export async function runChange<S extends Statements>(
  command: Command<S>,
  context: ChangeContext,
): Promise<Answer | Refusal> {
  const { unit, domain, idempotent, render } = context;
  // The load needn't wait for this. The write waits, so that nothing is committed before the
  // scheduler is awake.
  const woken = context.wake();
  let settled: Refusal | undefined;
  let again: unknown;
  for (let attempt = 1; ; attempt++) {
    const { load: statements } = command;
    const loaded = await load(
      typeof statements === 'function' ? statements(again as never) : statements,
      context,
    );
    if (loaded.replay) return loaded.replay;
    const outcome = settled ?? command.decide(loaded.results, again as never);
    const refused = isRefusal(outcome);
    if (!refused) ({ again } = outcome);
    if (refused && (!idempotent || !isStored(outcome.refused, domain))) return outcome;
    const answer = render(refused ? outcome : outcome.reply);
    if (!refused) await outcome.first?.();
    try {
      const key = keepAnswer(answer, context);
      await woken;
      await (refused ? unit.write(key) : writeDecision(key, outcome, answer, context));
      return answer;
    } catch (error) {
      if (mayDecideAgain(error, attempt, domain)) {
        // The first retry comes at once: usually there was only one other caller, who is done.
        if (attempt > 1 && !(error instanceof Collision)) await drift(attempt);
        continue;
      }
      // A refusal by the database is answered and stored like one by a decision.
      const refusal = refusalOf(error, domain);
      if (!refusal) throw trouble(error);
      if (!idempotent || !isStored(refusal.refused, domain)) return refusal;
      settled = refusal;
    }
  }
}

const erasedAnswer =
  'This request was carried out before, and its answer was erased together with the data of a person. Read the record instead.';

async function load<S extends Statements>(reads: Reads<S>, { unit, idempotent }: ChangeContext) {
  const nothing = !(reads instanceof PreparedCall) && Object.keys(reads).length === 0;
  if (!idempotent && nothing) return { results: {} as Results<S> };
  const { results, stored } = await unit.load(reads, idempotent);
  if (stored && stored.fingerprint !== idempotent?.fingerprint) {
    // The erasure of a person empties the answers that show them.
    const isErased = stored.fingerprint === '';
    throw kernelError('rest_idempotency_mismatch', isErased ? { message: erasedAnswer } : {});
  }
  const replay = stored && { status: stored.status, text: stored.body, replayed: true };
  return { results, replay };
}

/** Writes the rows, the audit row, and then the events, in one transaction. */
async function writeDecision(
  key: readonly Statement[],
  decision: Decision<unknown>,
  answer: Answer,
  { unit, domain, now, request, following, deliver, follow }: ChangeContext,
): Promise<void> {
  const { write, events: decided = [] } = decision;
  const rows = [...key, ...write, ...(request ? auditRow(request, decision, answer) : [])];
  if (decided.length === 0) {
    if (rows.length > 0) await unit.write(rows);
    return;
  }
  const events = await domain.withFollowing(decided);
  const [announced] = await unit.write(
    rows,
    insertEvents(events, await following(events, now), now),
  );
  if (announced?.due) deliver();
  if (announced?.followed) follow();
}

/** Stores the answer in the write's own transaction. A parallel request with the same key waits for it. */
function keepAnswer(answer: Answer, { idempotent, now }: ChangeContext) {
  if (!idempotent) return [];
  const { operation, key, fingerprint } = idempotent;
  return [
    raw(
      sql`select svc_claim_idempotency(${operation}, ${key}, ${fingerprint}, ${answer.status},
        ${answer.text}, ${now.toISOString()})`,
    ),
  ];
}

/** Tells if a failed write, which wrote nothing, can be decided again on a fresh state. */
function mayDecideAgain(error: unknown, attempt: number, domain: Domain): boolean {
  if (error instanceof UniqueViolation && error.constraint === 'idempotency_keys_pkey') return true;
  // The caller chose this value, so another decision would meet it again.
  if (error instanceof UniqueViolation && error.constraint in domain.takenErrors) return false;
  const isDrawn =
    error instanceof GuardFailure &&
    Object.values(domain.drawnErrors).includes(error.code as ErrorCode);
  if (error instanceof GuardFailure && error.code !== 'rest_conflict' && !isDrawn)
    return attempt < 2;
  if (error instanceof Collision) return attempt < fewTries;
  const moved = error instanceof GuardFailure || error instanceof UniqueViolation;
  return moved && attempt < tries;
}

/** Returns the refusal for a failed write that is not tried again. */
function refusalOf(error: unknown, { takenErrors, drawnErrors }: Domain): Refusal | undefined {
  if (error instanceof GuardFailure) return refuse(error.code as ErrorCode);
  if (error instanceof UniqueViolation) {
    const { constraint } = error;
    return refuse(takenErrors[constraint] ?? drawnErrors[constraint] ?? 'rest_conflict');
  }
  return error instanceof LockTimeout
    ? refuse('rest_idempotency_in_progress', { retryAfter: 2 })
    : undefined;
}

/** A collision in the last try is temporary: the caller may wait and retry. */
const trouble = (error: unknown): unknown =>
  error instanceof Collision ? new DatabaseUnavailable(error.message, { cause: error }) : error;
