import { type Column, sql } from 'drizzle-orm';

interface ActorColumns {
  readonly actor_type: Column;
  readonly actor_id: Column;
}

/** The present name of a user or API key; null for the system. */
export const actorName = ({ actor_type, actor_id }: ActorColumns) =>
  sql`case ${actor_type}
    when 'user' then (select u.display_name from users u where u.id = ${actor_id})
    when 'key' then (select k.name from api_keys k where k.id = ${actor_id})
    end`
    .mapWith((name: string): string | null => name)
    .as('actor_name');
