import { messageMedia, reminderTemplates, reminders } from '../../../../src/exports/store.ts';
import { because, insertInto } from '../mapped.ts';
import { ordersIn, withoutOrder } from '../records/order.ts';
import { postsOf } from '../step.ts';
import { entryOf, localOf, utcOf, wholeOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { valuesOf } from './carbon.ts';
import { orderReader } from './orders.ts';
import { eachRow } from './plan.ts';

/** The store's placeholders, by the shop's. */
const placeholders: Readonly<Record<string, string>> = {
  'buyer-name': 'name',
  'user-name': 'name',
  'order-id': 'order-number',
  'invoice-id': 'order-number',
  'product-name': 'product-name',
  'order-grand-total': 'amount',
  'end-date': 'end-date',
};

/** Imports the shop's reminders, switched off, so that nobody gets one twice. */
export const templatesStep = eachRow({
  entity: 'reminder-templates',
  ...postsOf('sejoli-reminder'),
  reader({ staging, now }) {
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    return (post, id) => {
      const meta = metaOf(id);
      const type = meta.get('_reminder_type') === 'recurring' ? 'recurring' : 'order';
      const { content, unknown } = translated(meta.get(`_reminder_${type}_content`) ?? '');
      const media = valuesOf(meta, '_reminder_media');
      const wanted = messageMedia.filter((medium) => media.includes(medium));
      const isBefore = type === 'recurring' && meta.get('_reminder_subscription_type') === 'before';
      const at = utcOf(post.post_date_gmt) ?? now;
      const row = insertInto(reminderTemplates, {
        id,
        type,
        offset_days: Math.min(3650, Math.max(0, wholeOf(meta.get('_reminder_day') ?? null) ?? 1)),
        direction: isBefore ? 'before' : 'after',
        hour: 9,
        media: wanted.length > 0 ? wanted : ['email'],
        title: plainText(post.post_title ?? '').slice(0, 300) || `Reminder ${id}`,
        content,
        active: false,
        created_at: at,
        updated_at: at,
      });
      const reasons = because({ 'switched-off': true, 'no-counterpart': unknown.length > 0 });
      return { rows: [row], reasons, detail: unknown.join(' ') || undefined };
    };
  },
});

/** Replaces the shop's placeholders by the store's. `unknown` are those that the store lacks. */
function translated(html: string): { content: string; unknown: string[] } {
  const unknown = new Set<string>();
  const content = plainText(html.replace(/<br\s*\/?>|<\/p>/gi, '\n'))
    .slice(0, 5000)
    .replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => {
      const ours = entryOf(placeholders, name);
      if (ours === undefined) unknown.add(name);
      return ours === undefined ? '' : `{{${ours}}}`;
    });
  return { content: content || '-', unknown: [...unknown].sort() };
}

/** Imports sent reminders. Waiting ones are left out: they would be sent at once, late or twice. */
export const remindersStep = eachRow({
  entity: 'reminders',
  table: 'sejolisa_reminders',
  reader({ staging, plan, now }) {
    const read = orderReader(staging, plan);
    return (row, id) => {
      const sentAt = localOf(row.sent_at, plan.timezone);
      const medium = messageMedia.find((known) => known === row.media_type);
      const found = read(row.order_id ?? '');
      const [order] = ordersIn(found);
      if (row.status !== '1' || !sentAt) return { refusal: 'still-to-send', outcome: 'left-out' };
      if (!order) return { refusal: withoutOrder(found) };
      if (!medium) return { refusal: 'no-counterpart' };
      const reminder = insertInto(reminders, {
        id,
        order_id: order.id,
        user_id: order.userId,
        recipient: '',
        title: (row.title ?? '').slice(0, 300),
        content: plainText(row.content ?? '').slice(0, 5000),
        media_type: medium,
        reminder_type: row.reminder_type === 'recurring' ? 'recurring' : 'order',
        send_day: wholeOf(row.send_day) ?? 0,
        send_hours: Math.min(23, Math.max(0, wholeOf(row.send_hours) ?? 0)),
        scheduled_at: sentAt,
        status: 'sent',
        sent_at: sentAt,
        attempts: 1,
        created_at: localOf(row.created_at, plan.timezone) ?? now,
        updated_at: sentAt,
      });
      return { rows: [reminder] };
    };
  },
});
