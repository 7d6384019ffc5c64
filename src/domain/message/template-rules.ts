import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { withoutUndefined, isSame } from '../../lib/objects.ts';
import { isSeen } from '../../lib/text.ts';
import { type Language, type TemplateMedium, languages } from '../../schema/lists.ts';
import type { MessageTemplateRow, TemplateKey, TemplateText } from '../../schema/messages.ts';
import { ownText } from './content.ts';
import { unknownPlaceholders } from './filling.ts';
import { kinds } from './kinds.ts';
import { placeholders, placeholdersOf } from './placeholders.ts';
import type { MessageTemplate, TemplateUpdate } from './template-schemas.ts';

type Row = MessageTemplateRow | undefined;

/** The store's own text, or else the service's. */
export const textIn = ({ kind, medium }: TemplateKey, row: Row, language: Language): TemplateText =>
  row?.texts[language] ?? ownText(kind, medium, language);

export function toTemplate({ kind, medium }: TemplateKey, row: Row): MessageTemplate {
  const shown = (language: Language) => ({
    ...textIn({ kind, medium }, row, language),
    own: row?.texts[language] !== undefined,
  });
  return {
    kind,
    medium,
    ...kinds[kind],
    active: row?.active ?? true,
    texts: { en: shown('en'), id: shown('id') },
    placeholders: placeholdersOf(kind).map((name) => ({
      name,
      description: placeholders[name],
    })),
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? 0,
  };
}

/** Returns the changed template, undefined if nothing changes, or its faults. */
export function updatedTemplate(
  key: TemplateKey,
  before: Row,
  { active, texts = {} }: TemplateUpdate,
  now: Date,
): MessageTemplateRow | undefined | Refusal<'rest_invalid_param'> {
  const after: MessageTemplateRow = {
    ...key,
    active: active ?? before?.active ?? true,
    texts: { ...before?.texts },
    updated_at: now.toISOString(),
    version: (before?.version ?? 0) + 1,
  };
  const params: Record<string, string> = {};
  for (const language of languages) {
    const update = texts[language];
    if (update === null) delete after.texts[language];
    if (!update) continue;
    const stated = textIn(key, before, language);
    const whole = { ...stated, ...withoutUndefined(update) };
    for (const [field, problem] of Object.entries(problemsOf(whole, key))) {
      params[`texts.${language}.${field}`] = problem;
    }
    // A text that equals the service's isn't stored as the store's own.
    if (!isSame(stated, whole)) after.texts[language] = whole;
  }
  if (Object.keys(params).length > 0) return refuse('rest_invalid_param', { params });
  const { active: wasActive, texts: stored } = before ?? { active: true, texts: {} };
  const isNew = after.active !== wasActive || !isSame(after.texts, stored);
  return isNew ? after : undefined;
}

export function problemsOf(
  { subject, text, approved }: TemplateText,
  { kind, medium }: TemplateKey,
): Record<string, string> {
  const known: readonly string[] = placeholdersOf(kind);
  const unknown = (names: readonly string[]) =>
    names.length === 0
      ? undefined
      : `must not contain ${names.join(', ')}: the placeholders of this kind are ${known.join(', ')}`;
  const variables = (approved?.variables ?? []).filter((name) => !known.includes(name));
  return withoutUndefined({
    subject: subjectProblem(subject, medium) ?? unknown(unknownPlaceholders(subject, kind)),
    text: unknown(unknownPlaceholders(text, kind)),
    approved:
      approved && medium === 'email'
        ? 'must be null: only WhatsApp messages have an approved template'
        : undefined,
    'approved.variables': unknown(variables),
  });
}

function subjectProblem(subject: string, medium: TemplateMedium): string | undefined {
  if (medium === 'email') return isSeen(subject) ? undefined : 'must not be empty';
  return subject === '' ? undefined : 'must be empty: only e-mails have a subject';
}
