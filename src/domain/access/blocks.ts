import {
  type BlockMessages,
  type BlockReason,
  blockReasons,
  type ContentRow,
  type Grant,
} from '../../schema/access.ts';
import { dateIn, daysUntil } from '../../lib/calendar.ts';
import { escapeHtml, htmlFilter } from '../../lib/html.ts';
import { checkoutPage, pageAt } from '../affiliate/links.ts';
import type { Finding } from './checks.ts';
import type { BlockMessage, BlockMessageUpdate } from './content-schemas.ts';
import type { Moment } from './rules.ts';
import type { Block, VerdictReason } from './schemas.ts';
import { nextVersion } from '../../lib/versions.ts';

/** Messages for content without messages of its own. */
const usual = {
  'not-bought': {
    title: 'This is part of {{product-name}}',
    message: '<p>Get {{product-name}} to see it.</p>',
  },
  expired: {
    title: 'Your access has ended',
    message:
      '<p>Your access to {{product-name}} ended on {{end-date}}. <a href="{{renew-url}}">Renew it</a></p>',
  },
  'drip-content': {
    title: 'Not open yet',
    message: '<p>This part of {{product-name}} opens in {{days-left}} days.</p>',
  },
} as const satisfies Record<BlockReason, { title: string; message: string }>;

const messagesOf = ({ messages }: ContentRow): BlockMessage['messages'] => ({
  'not-bought': { ...usual['not-bought'], ...messages['not-bought'] },
  expired: { ...usual.expired, ...messages.expired },
  'drip-content': { ...usual['drip-content'], ...messages['drip-content'] },
});

export const toBlockMessage = (content: ContentRow): BlockMessage => ({
  content_id: content.id,
  redirect_active: content.redirect_active,
  redirect_link: content.redirect_link,
  messages: messagesOf(content),
  version: content.version,
});

const sanitised = htmlFilter('{{renew-url}}');

/** Removes unsafe HTML from the messages. */
export function withMessages(
  content: ContentRow,
  { messages = {}, redirect_active, redirect_link }: BlockMessageUpdate,
  now: Date,
): ContentRow {
  const merged: BlockMessages = { ...content.messages };
  for (const reason of blockReasons) {
    const given = Object.entries(messages[reason] ?? {}).map(([part, html]) => [
      part,
      sanitised(html ?? ''),
    ]);
    if (given.length > 0) merged[reason] = { ...merged[reason], ...Object.fromEntries(given) };
  }
  return {
    ...content,
    messages: merged,
    redirect_active: redirect_active ?? content.redirect_active,
    redirect_link: redirect_link ?? content.redirect_link,
    ...nextVersion(content, now),
  };
}

export interface BlockContext extends Moment {
  readonly content: ContentRow;
  readonly product: { readonly slug: string; readonly title: string };
  /** Without a trailing slash; undefined if the store has no site. */
  readonly site: string | undefined;
}

/** Revoked access shows the texts of access that was never bought. */
function reasonShown(reason: VerdictReason): BlockReason | undefined {
  return reason === 'revoked' ? 'not-bought' : blockReasons.find((known) => known === reason);
}

export function renderBlock(finding: Finding, context: BlockContext): Block | null {
  const { content } = context;
  const reason = reasonShown(finding.reason);
  if (!reason) return null;
  const values = placeholders(finding, context);
  const { title, message } = messagesOf(content)[reason];
  return {
    title: fill(title, values),
    message: fill(message, values),
    redirect: content.redirect_active && content.redirect_link ? content.redirect_link : null,
  };
}

function placeholders(
  { reason, grant, available_at }: Finding,
  { product, site, now, timezone }: BlockContext,
): Readonly<Record<string, string>> {
  const end = grant?.end_active ?? null;
  const awaited = reason === 'drip-content' ? available_at : end;
  return {
    'product-name': product.title,
    'days-left': awaited === null ? '' : String(daysUntil(awaited, now, timezone)),
    'end-date': end === null ? '' : dateIn(end, timezone),
    'renew-url': pageAt(`${checkoutPage(product)}${renewal(grant)}`, site) ?? '',
  };
}

const renewal = (grant: Grant | undefined) =>
  grant?.source === 'subscription' ? `?order_parent_id=${grant.order_id}` : '';

/** Fills in the placeholders. Values are escaped. */
const fill = (html: string, values: Readonly<Record<string, string>>) =>
  html.replace(/\{\{([a-z-]+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? placeholder : escapeHtml(value);
  });
