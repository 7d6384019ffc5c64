import { componentName } from './names.ts';
import { type JsonSchema, componentOf } from './schema.ts';

/** Parts of a reply's name, by the component of its `meta`: its owner, and one record or several. */
const kinds: Readonly<Record<string, { own: string; one: string; many: string }>> = {
  Ignored: { own: '', one: 'Reply', many: 'List' },
  PageMeta: { own: '', one: 'Reply', many: 'Page' },
  OwnMeta: { own: 'Own', one: 'Reply', many: 'List' },
  OwnListMeta: { own: 'Own', one: 'Reply', many: 'List' },
  OwnPageMeta: { own: 'Own', one: 'Reply', many: 'Page' },
};

/**
 * Names a reply's body `OrderReply`, `OrderPage` or `OwnOrderPage`: after its record, or after the operation if the
 * record has no name. Undefined if the body has a name, or is no object.
 */
export function replyName(id: string, { type, properties = {} }: JsonSchema): string | undefined {
  if (type !== 'object') return undefined;
  const { data = {}, meta = {}, success: _, ...others } = properties as Record<string, JsonSchema>;
  const kind = kinds[componentOf(meta) ?? ''];
  if (kind && Object.keys(others).length === 0) {
    const record = componentOf(data);
    if (record) return kind.own + record + kind.one;
    const item = componentOf((data.items ?? {}) as JsonSchema);
    if (item) return kind.own + item + kind.many;
  }
  return `${componentName(id)}Reply`;
}
