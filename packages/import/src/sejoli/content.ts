import { type BlockMessages, accessContent } from '../../../../src/exports/store.ts';
import { insertInto } from '../mapped.ts';
import { postsOf } from '../step.ts';
import { idOf, utcOf, wholeOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { type Meta, isTicked, valuesOf } from './carbon.ts';
import { idsOf } from '../ids.ts';
import { eachRow } from './plan.ts';

/** Imports the addresses of pages for buyers, and who may read them. Their text stays at the shop. */
export const contentStep = eachRow({
  entity: 'content',
  ...postsOf('sejoli-access'),
  reader({ staging, now }) {
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    const products = idsOf(
      staging,
      `select ID as id from posts where post_type = 'sejoli-product'`,
    );
    return (post, id) => {
      const meta = metaOf(id);
      const named = valuesOf(meta, '_product_association', 'id').flatMap(
        (text) => idOf(text) ?? [],
      );
      const ours = [...new Set(named.filter((product) => products.has(product)))].slice(0, 50);
      if (ours.length === 0) return { refusal: 'no-product', outcome: 'left-out' };
      const at = utcOf(post.post_date_gmt) ?? now;
      const link = meta.get('_access_redirect_link') ?? '';
      const isLink = /^https?:\/\//.test(link);
      const row = insertInto(accessContent, {
        id,
        title: plainText(post.post_title ?? '').slice(0, 300) || `Content ${id}`,
        url: `/access/${(post.post_name ?? '').slice(0, 400) || id}`,
        product_ids: ours,
        // In Sejoli, any one of the products is enough.
        match: 'any',
        drip_day: Math.min(3650, Math.max(0, wholeOf(meta.get('_drip_day') ?? null) ?? 0)),
        status: post.post_status === 'publish' ? 'publish' : 'draft',
        redirect_active: isLink && isTicked(meta, '_access_redirect_active'),
        redirect_link: isLink ? link.slice(0, 500) : '',
        messages: messagesOf(meta),
        created_at: at,
        updated_at: at,
      });
      return { rows: [row], reasons: ['no-counterpart'] };
    };
  },
});

function messagesOf(meta: Meta): BlockMessages {
  const texts = {
    'not-bought': meta.get('_access_block_message'),
    expired: meta.get('_access_expired_message'),
    'drip-content': meta.get('_access_drip_day_message'),
  };
  // As plain text: the HTML of a WordPress page may be unsafe elsewhere.
  return Object.fromEntries(
    Object.entries(texts).flatMap(([reason, html]) => {
      const message = plainText(html ?? '').slice(0, 5000);
      return message === '' ? [] : [[reason, { message: escaped(message) }]];
    }),
  );
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
