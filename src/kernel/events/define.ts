import type * as z from 'zod';
import type { Scope } from '../vocabulary/vocabulary.ts';

export type ReadScope = Extract<Scope, `${string}:read`>;

interface EventDeclaration {
  readonly summary: string;
  readonly payload: z.ZodType<{ readonly id: number }>;
}

/** An event. Only functions of `defineEvents` make one, so every event is declared. */
class DomainEvent {
  /** Equal for every webhook and attempt. */
  readonly id = crypto.randomUUID();
  readonly name: string;
  readonly data: { readonly id: number };
  /** The only receiver; undefined for all webhooks that subscribe. */
  readonly webhook: number | undefined;
  /** Keeps the compiler from accepting similar objects. */
  protected readonly declared = true;

  constructor(name: string, data: { readonly id: number }, webhook: number | undefined) {
    this.name = name;
    this.data = data;
    this.webhook = webhook;
  }
}
export type { DomainEvent };

type Declared<T> = { readonly [N in keyof T]: T[N] & { readonly scope: ReadScope } };

/**
 * Declares the events of a resource by name, `<resource>.<past participle>`, and returns the function that makes them:
 * `orderEvent('order.created', order)`. An undeclared name, or a record of another shape, does not compile. Fields
 * outside the payload's schema are never sent.
 * @param scope the scope that a key needs to see these events
 */
export function defineEvents<const T extends Readonly<Record<string, EventDeclaration>>>(
  scope: ReadScope,
  events: T,
) {
  const scoped = Object.entries(events).map(([name, event]) => [name, { ...event, scope }]);
  const declared = Object.fromEntries(scoped) as Declared<T>;
  const make = <N extends keyof T & string>(
    name: N,
    data: z.input<T[N]['payload']>,
    { webhook }: { webhook?: number } = {},
  ): DomainEvent =>
    new DomainEvent(name, (events[name] as EventDeclaration).payload.parse(data), webhook);
  return Object.assign(make, { declared });
}
