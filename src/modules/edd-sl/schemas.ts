import * as z from 'zod';
import { textUpTo, trimmedUpTo, nameUpTo } from '../../lib/schemas.ts';

export const eddActions = [
  'activate_license',
  'deactivate_license',
  'check_license',
  'get_version',
] as const;

/** Parameters of the old shop's clients. Others are ignored. */
const fields = {
  edd_action: z.enum(eddActions).optional().describe('The action. Required.'),
  license: textUpTo(255).optional().describe('The licence code.'),
  item_id: trimmedUpTo(20)
    .optional()
    .describe('The id of the product the licence must be for. Takes precedence over `item_name`.')
    .meta({ examples: ['12'] }),
  item_name: nameUpTo(500)
    .optional()
    .describe('The title of that product, as plain text or URL-encoded.')
    .meta({ examples: ['Invoice Desk'] }),
  url: nameUpTo(500)
    .optional()
    .describe('The site of the software. By default the one in `User-Agent`.')
    .meta({ examples: ['https://toko-dewi.example'] }),
};

export const EddQuery = z.object(fields);

export const EddRequest = z.object(fields).meta({
  id: 'EddRequest',
  examples: [
    {
      edd_action: 'check_license',
      license: 'GNH2J-TCN05-X4R4B-RCX7G-3JHZ2',
      item_id: '12',
      url: 'https://toko-dewi.example',
    },
  ],
});
export type EddRequest = z.output<typeof EddRequest>;

/** Values of `license` and `error`. */
export type EddStatus =
  | ('valid' | 'invalid' | 'expired' | 'inactive' | 'site_inactive' | 'disabled' | 'missing')
  | ('missing_url' | 'item_name_mismatch' | 'invalid_item_id' | 'no_activations_left');

const text = z.string().optional();

export const EddReply = z
  .object({
    success: z.boolean().optional(),
    license: z
      .string()
      .optional()
      .describe('Status of the licence, or `deactivated` or `failed`.')
      .meta({ examples: ['valid'] }),
    error: text.describe('Why it is not activated.').meta({ examples: ['no_activations_left'] }),
    item_id: z.union([z.int(), z.literal(false)]).optional(),
    item_name: text.meta({ examples: ['Invoice Desk'] }),
    expires: text
      .describe('`YYYY-MM-DD hh:mm:ss` in UTC, or `lifetime`.')
      .meta({ examples: ['2027-06-30 23:59:59'] }),
    payment_id: z.int().optional().describe('The id of the order; 0 = none.'),
    customer_name: text.describe('Always empty.').meta({ examples: [''] }),
    customer_email: text.describe('Always empty.').meta({ examples: [''] }),
    license_limit: z.int().optional().describe('Number of seats; 0 = no limit.'),
    site_count: z.int().optional().describe('Number of seats that are taken.'),
    activations_left: z.union([z.int(), z.literal('unlimited')]).optional(),
    price_id: z.literal(false).optional(),
    new_version: text.describe('Always empty: no update is known.').meta({ examples: [''] }),
    stable_version: text.meta({ examples: [''] }),
    name: text.meta({ examples: ['Invoice Desk'] }),
    url: text.meta({ examples: [''] }),
    homepage: text.meta({ examples: [''] }),
    package: text.meta({ examples: [''] }),
    download_link: text.meta({ examples: [''] }),
    last_updated: text.meta({ examples: [''] }),
    sections: z.object({ changelog: z.string().meta({ examples: [''] }) }).optional(),
    banners: z.object({}).optional(),
    icons: z.object({}).optional(),
  })
  .meta({ id: 'EddReply' });
export type EddReply = z.input<typeof EddReply>;
