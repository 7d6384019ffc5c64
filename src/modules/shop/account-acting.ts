/** Notes in the audit log that an administrator acts as the member. Empty for the member. */
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
