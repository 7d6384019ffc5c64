export const actorTypes = ['key', 'user', 'system'] as const;

export type ActorType = (typeof actorTypes)[number];

/** The author of a change, as histories and audit rows keep it. */
export interface Actor {
  readonly type: ActorType;
  readonly id: number | null;
}
