import type { AuditEntry } from '../../api/generated.ts';
import { useCustomerNames } from '../../parts/names.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Words = Readonly<Record<string, string>>;

/** A kind of record in words. */
export function useSubject(): (subjectType: string) => string {
  const subjects: Words = useTexts(texts).subjects;
  return (subjectType) => subjects[subjectType] ?? subjectType;
}

/** Names the records of changes for people: an order's number, a user's name, a product's title, otherwise an id. */
export function useRecordName(entries: readonly AuditEntry[]): (entry: AuditEntry) => string {
  const nameOf = useCustomerNames(
    entries.filter(isOfUser).map(({ subject_id }) => Number(subject_id)),
  );
  const titles = new Map((useProducts() ?? []).map(({ id, title }) => [String(id), title]));
  return (entry) => {
    const { subject_number, subject_type, subject_id } = entry;
    if (isOfUser(entry)) return nameOf(Number(subject_id));
    const title = subject_type === 'products' ? titles.get(subject_id ?? '') : undefined;
    return title ?? subject_number ?? subject_id ?? '';
  };
}

const isOfUser = ({ subject_type, subject_id, operation }: AuditEntry) =>
  (subject_type === 'users' || operation === 'console.links.create') &&
  /^\d{1,15}$/.test(subject_id ?? '');

/** A change in words: “Product 1 changed”. Unknown operations are named as in the API document. */
export function useSaid(nameOf: (entry: AuditEntry) => string): (entry: AuditEntry) => string {
  const { verbs, sentences } = useTexts(texts);
  const sentenceOf: Readonly<Record<string, (id: string) => string>> = sentences;
  const verbOf: Words = verbs;
  const subjectOf = useSubject();
  return (entry) => {
    const { operation, subject_type } = entry;
    const name = nameOf(entry);
    const sentence = sentenceOf[operation]?.(name);
    const verb = verbOf[operation.split('.').at(-1) ?? ''] ?? `(${operation})`;
    return sentence ?? [subjectOf(subject_type), name, verb].filter(Boolean).join(' ');
  };
}

/** A field of a record in words. */
export function useFieldName(): (field: string) => string {
  const names: Words = useTexts(texts).fieldNames;
  return (field) => names[field] ?? field.replaceAll('_', ' ');
}

/** Names the author of a change. */
export function useWho(): (entry: AuditEntry) => string {
  const { actors } = useTexts(texts);
  return ({ actor_type, actor_id, actor_name }) =>
    actor_name ?? [actors[actor_type], actor_id].filter(Boolean).join(' ');
}

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

/** The screen of a change's record, if there is one. */
export const recordHref = ({ subject_type, subject_id }: AuditEntry): string | undefined => {
  const screen = screens[subject_type];
  return screen && subject_id?.match(/^\d+(\/\d+)?$/) ? `${screen}/${subject_id}` : undefined;
};
