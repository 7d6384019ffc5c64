import type { DomainEvent } from '../../kernel/events/define.ts';
import { type StatePart, stateParts, userEvent } from '../user/events.ts';

/** The parts of a user's state that each event changes. */
const changedBy: Readonly<Record<string, readonly StatePart[]>> = {
  'access.granted': ['access'],
  'access.revoked': ['access'],
  'license.created': ['licenses'],
  'license.activated': ['licenses'],
  'license.deactivated': ['licenses'],
  'license.status-updated': ['licenses'],
  'user.group-updated': ['group'],
  'user.deleted': stateParts,
};

interface Told {
  readonly id: number;
  readonly user_id?: number;
  readonly changed?: readonly StatePart[];
}

const name = 'user.state-changed';

/**
 * Adds one `user.state-changed` for each user. Most follow from other events. For the rest, a decision returns
 * `user.state-changed` itself; repeats are merged.
 */
export function withStateChanges(events: readonly DomainEvent[]): DomainEvent[] {
  const users = new Map<number, Set<StatePart>>();
  for (const event of events) {
    const { id, user_id = id, changed }: Told = event.data;
    const parts = event.name === name ? changed : changedBy[event.name];
    if (parts) users.set(user_id, new Set([...(users.get(user_id) ?? []), ...parts]));
  }
  return [
    ...[...users].map(([id, parts]) =>
      userEvent(name, { id, changed: stateParts.filter((part) => parts.has(part)) }),
    ),
    ...events.filter((event) => event.name !== name),
  ];
}
