import { and, eq, sql } from 'drizzle-orm';
import { type Argument, build, guard } from '../kernel/database/statements.ts';
import type { TemplateKind, TemplateMedium } from '../schema/lists.ts';
import { type MessageTemplateRow, messageTemplates } from '../schema/messages.ts';

/** Templates with changes of the store. */
export const findTemplates = () => build.select().from(messageTemplates);

/** The primary key of a template. */
interface Key {
  readonly kind: Argument<TemplateKind>;
  readonly medium: Argument<TemplateMedium>;
}

/** A template, if the store changed it. */
export const findTemplate = ({ kind, medium }: Key) =>
  build
    .select()
    .from(messageTemplates)
    .where(and(eq(messageTemplates.kind, kind), eq(messageTemplates.medium, medium)));

/** Writes a template's new state over the version it was decided on. */
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
