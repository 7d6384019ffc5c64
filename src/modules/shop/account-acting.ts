/** The note for the audit log on a change that an administrator makes as a member; none for the member. */
export const actingNote = (user_id: number, actor_id: number | null) =>
  actor_id === null
    ? {}
    : {
        audit: {
          actor: { type: 'user', id: actor_id },
          acting_as: user_id,
          record: user_id,
        } as const,
      };
