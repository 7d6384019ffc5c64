import { and, eq, sql } from 'drizzle-orm';
import { type Argument, build, guard } from '../kernel/database/statements.ts';
import type { TemplateKind, TemplateMedium } from '../schema/lists.ts';
import { type MessageTemplateRow, messageTemplates } from '../schema/messages.ts';

/** Only templates that the store changed. */
export const findTemplates = () => build.select().from(messageTemplates);

interface Key {
  readonly kind: Argument<TemplateKind>;
  readonly medium: Argument<TemplateMedium>;
}

/** Returns no row unless the store changed the template. */
export const findTemplate = ({ kind, medium }: Key) =>
  build
    .select()
    .from(messageTemplates)
    .where(and(eq(messageTemplates.kind, kind), eq(messageTemplates.medium, medium)));

export const saveTemplate = (before: MessageTemplateRow | undefined, after: MessageTemplateRow) =>
  guard(
    build
      .insert(messageTemplates)
      .values(after)
      .onConflictDoUpdate({
        target: [messageTemplates.kind, messageTemplates.medium],
        set: after,
        setWhere: sql`${messageTemplates.version} = ${before?.version ?? -1}`,
      })
      .returning({ version: messageTemplates.version }),
    'rest_conflict',
  );
