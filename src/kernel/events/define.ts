import type * as z from 'zod';
import type { Scope } from '../vocabulary/vocabulary.ts';

/** A scope that reads a resource. */
export type ReadScope = Extract<Scope, `${string}:read`>;

/** A line for readers, and the schema of the record that the event carries. */
interface EventDeclaration {
  readonly summary: string;
  readonly payload: z.ZodType<{ readonly id: number }>;
}

/** Something that happened. Only what `defineEvents` returns makes one, so it is always declared. */
class DomainEvent {
  /** Equal for every webhook and attempt. */
  readonly id = crypto.randomUUID();
  readonly name: string;
  readonly data: { readonly id: number };
  /** The only webhook it is for, where it isn't for all that want it. */
  readonly webhook: number | undefined;
  /** Keeps objects that only look like events from being taken for one. */
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
 * Declares the events of a resource by name, `<resource>.<what happened>`. The function it returns
 * makes them: `orderEvent('order.created', order)`. A name that isn't declared, or a record of another
 * shape, does not compile; what is not in the payload's schema never leaves.
 * @param scope what a key has to have to see what these events carry
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
