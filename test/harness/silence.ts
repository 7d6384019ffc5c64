import { templateKinds, templateMedia } from '../../src/schema/lists.ts';
import type { Store } from './store.ts';

/** Switches every message template off, so that a test sends no messages. */
export const silence = async ({ database, clock }: Store): Promise<void> => {
  await database.query(
    `insert into message_templates (kind, medium, active, texts, updated_at, version)
     select kind, medium, false, '{}', $3, 1
       from unnest($1::text[]) kind cross join unnest($2::text[]) medium`,
    [[...templateKinds], [...templateMedia], clock.now()],
  );
};
