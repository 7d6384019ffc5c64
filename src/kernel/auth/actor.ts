export const actorTypes = ['key', 'user', 'system'] as const;

export type ActorType = (typeof actorTypes)[number];

/** The author of a change, in histories and the audit log. */
export interface Actor {
  readonly type: ActorType;
  readonly id: number | null;
}
