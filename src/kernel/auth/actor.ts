export const actorTypes = ['key', 'user', 'system'] as const;

export type ActorType = (typeof actorTypes)[number];

/** Who did something, as histories and audit rows keep it. */
export interface Actor {
  readonly type: ActorType;
  readonly id: number | null;
}
