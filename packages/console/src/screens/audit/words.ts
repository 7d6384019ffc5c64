import type { AuditEntry } from '../../api/generated.ts';
import { useTexts } from '../../texts/texts.ts';
import { fieldNames } from './field-texts.ts';
import { texts } from './texts.ts';

type Words = Readonly<Record<string, string>>;

/** A kind of record in words. */
export function useSubject(): (subjectType: string) => string {
  const subjects: Words = useTexts(texts).subjects;
  return (subjectType) => subjects[subjectType] ?? subjectType;
}

/** The name of a change's record: its present name, otherwise its id. */
export const recordName = ({ subject_name, subject_id }: AuditEntry): string =>
  subject_name ?? subject_id ?? '';

/** A change in words: “Product Rye Bread changed”. Unknown operations are named as in the API document. */
export function useSaid(): (entry: AuditEntry) => string {
  const { verbs, sentences } = useTexts(texts);
  const sentenceOf: Readonly<Record<string, (id: string) => string>> = sentences;
  const verbOf: Words = verbs;
  const subjectOf = useSubject();
  return (entry) => {
    const { operation, subject_type } = entry;
    const name = recordName(entry);
    const sentence = sentenceOf[operation]?.(name);
    const verb = verbOf[operation.split('.').at(-1) ?? ''] ?? `(${operation})`;
    return sentence ?? [subjectOf(subject_type), name, verb].filter(Boolean).join(' ');
  };
}

export function useFieldName(): (field: string) => string {
  const names = useTexts<Words>(fieldNames);
  return (field) => names[field] ?? field.replaceAll('_', ' ');
}

/** Names the author of a change. */
export function useWho(): (entry: AuditEntry) => string {
  const { actors, key } = useTexts(texts);
  return ({ actor_type, actor_id, actor_name }) => {
    if (actor_type === 'key') return key(actor_name ?? `#${actor_id}`);
    return actor_name ?? [actors[actor_type], actor_id].filter(Boolean).join(' ');
  };
}

export const actorHref = ({ actor_type, actor_id }: AuditEntry): string | undefined =>
  ({ user: `/customers/${actor_id}`, key: `/keys/${actor_id}`, system: undefined })[actor_type];

/** The screens where records of a kind are shown. */
const screens: Readonly<Record<string, string>> = {
  orders: '/orders',
  confirmations: '/proofs',
  products: '/products',
  coupons: '/coupons',
  users: '/customers',
  subscriptions: '/subscriptions',
  licenses: '/licences',
  messages: '/messages',
  webhooks: '/webhooks',
  keys: '/keys',
};

export const recordHref = ({ subject_type, subject_id }: AuditEntry): string | undefined => {
  const screen = screens[subject_type];
  return screen && subject_id?.match(/^\d+(\/\d+)?$/) ? `${screen}/${subject_id}` : undefined;
};
