import { messageMedia } from '../../../schema/lists.ts';
import { reminderTemplates, reminders } from '../../../schema/reminders.ts';
import {
  type Mapped,
  type StepContext,
  imported,
  insertInto,
  without,
  withReasons,
} from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { localOf, utcOf, wholeOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { valuesOf } from './carbon.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;

/** The shop's placeholders, by ours. */
const placeholders: Readonly<Record<string, string>> = {
  'buyer-name': 'name',
  'user-name': 'name',
  'order-id': 'order-number',
  'invoice-id': 'order-number',
  'product-name': 'product-name',
  'order-grand-total': 'amount',
  'end-date': 'end-date',
};

/** What the shop reminds its buyers with, switched off: nobody hears twice. */
export function* templatesStep({ staging, numbers, now }: Context): Generator<Mapped> {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const posts = staging.database
    .prepare(`select * from posts where post_type = 'sejoli-reminder' order by cast(ID as integer)`)
    .iterate() as Iterable<Record<string, string | null>>;
  for (const post of posts) {
    const id = Number(post['ID']);
    const meta = metaOf(id);
    const isRecurring = meta.get('_reminder_type') === 'recurring';
    const text = meta.get(isRecurring ? '_reminder_recurring_content' : '_reminder_order_content');
    const { content, unknown } = translated(text ?? '');
    const media = valuesOf(meta, '_reminder_media');
    const wanted = messageMedia.filter((medium) => media.includes(medium));
    const at = utcOf(post['post_date_gmt'] ?? null) ?? now;
    numbers.above(reminderTemplates, id);
    const row = insertInto(reminderTemplates, {
      id,
      type: isRecurring ? 'recurring' : 'order',
      offset_days: Math.min(3650, Math.max(0, wholeOf(meta.get('_reminder_day') ?? null) ?? 1)),
      direction:
        isRecurring && meta.get('_reminder_subscription_type') === 'before' ? 'before' : 'after',
      hour: 9,
      media: wanted.length > 0 ? wanted : ['email'],
      title: plainText(post['post_title'] ?? '').slice(0, 300) || `Reminder ${id}`,
      content,
      active: false,
      created_at: at,
      updated_at: at,
    });
    const reasons: Reason[] = [
      'switched-off',
      ...(unknown.length > 0 ? (['no-counterpart'] as const) : []),
    ];
    yield withReasons(
      imported('reminder-templates', id, [id], [row]),
      reasons,
      unknown.join(' ') || undefined,
    );
  }
}

/** A text with the store's placeholders, and which of the shop's it has that the store doesn't know. */
function translated(html: string): { content: string; unknown: string[] } {
  const unknown = new Set<string>();
  const content = plainText(html.replace(/<br\s*\/?>|<\/p>/gi, '\n'))
    .slice(0, 5000)
    .replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => {
      const ours = placeholders[name];
      if (ours === undefined) unknown.add(name);
      return ours === undefined ? '' : `{{${ours}}}`;
    });
  return { content: content || '-', unknown: [...unknown].sort() };
}

/** Reminders that were sent. Those that wait would go out at once, late or twice: they stay behind. */
export function* remindersStep({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const read = orderReader(staging, plan);
  for (const row of staging.rows('sejolisa_reminders')) {
    const id = Number(row.ID);
    numbers.above(reminders, id);
    const sentAt = localOf(row.sent_at, plan.timezone);
    const medium = messageMedia.find((known) => known === row.media_type);
    const found = read(row.order_id ?? '');
    if (row.status !== '1' || !sentAt) yield without('reminders', id, 'left-out', 'still-to-send');
    else if (!found || 'refusal' in found)
      yield without('reminders', id, 'refused', found ? 'order-not-imported' : 'order-missing');
    else if (!medium) yield without('reminders', id, 'refused', 'no-counterpart');
    else {
      const at = localOf(row.created_at, plan.timezone) ?? now;
      const reminder = insertInto(reminders, {
        id,
        order_id: found.order.id,
        user_id: found.order.userId,
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
        created_at: at,
        updated_at: sentAt,
      });
      yield imported('reminders', id, [id], [reminder]);
    }
  }
}
