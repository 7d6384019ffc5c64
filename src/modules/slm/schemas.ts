import * as z from 'zod';
import { textUpTo, trimmedUpTo, nameUpTo } from '../../lib/schemas.ts';

export const slmActions = ['slm_check', 'slm_activate', 'slm_deactivate'] as const;

/** Parameters of the old shop's clients. Others are ignored. */
const fields = {
  slm_action: z.enum(slmActions).optional().describe('The action. Required.'),
  secret_key: textUpTo(255)
    .optional()
    .describe('The value of `SLM_SECRET_KEY`.')
    .meta({ examples: ['5f3c8a1e9b7d42'] }),
  license_key: textUpTo(255).optional().describe('The licence code.'),
  registered_domain: nameUpTo(500)
    .optional()
    .describe(
      'The site of the software. If it is missing, `slm_check` takes the one in `User-Agent`.',
    )
    .meta({ examples: ['toko-dewi.example'] }),
  item_reference: trimmedUpTo(500)
    .optional()
    .describe('The id or slug of the product the licence must be for. Any other value is ignored.')
    .meta({ examples: ['invoice-desk'] }),
};

export const SlmQuery = z.object(fields);

export const SlmRequest = z.object(fields).meta({
  id: 'SlmRequest',
  examples: [
    {
      slm_action: 'slm_check',
      secret_key: '5f3c8a1e9b7d42',
      license_key: 'GNH2J-TCN05-X4R4B-RCX7G-3JHZ2',
      registered_domain: 'toko-dewi.example',
    },
  ],
});
export type SlmRequest = z.output<typeof SlmRequest>;

const none = z
  .string()
  .optional()
  .describe('Always empty.')
  .meta({ examples: [''] });
const day = z
  .string()
  .optional()
  .describe('`YYYY-MM-DD` in UTC; `0000-00-00` = never.')
  .meta({ examples: ['2027-06-30'] });

export const SlmReply = z
  .object({
    result: z
      .string()
      .describe('`success` or `error`.')
      .meta({ examples: ['success'] }),
    message: z.string().meta({ examples: ['The licence is activated.'] }),
    error_code: z.int().optional().describe('Why it is refused, as the old shop numbered it.'),
    license_key: z
      .string()
      .optional()
      .meta({ examples: ['GNH2J-TCN05-X4R4B-RCX7G-3JHZ2'] }),
    status: z
      .string()
      .optional()
      .describe('`pending` (registered nowhere), `active`, `expired` or `blocked`.')
      .meta({ examples: ['active'] }),
    max_allowed_domains: z
      .string()
      .optional()
      .describe('Number of seats; 1000000 = no limit.')
      .meta({ examples: ['3'] }),
    registered_domains: z
      .array(
        z.object({
          lic_key: z.string().meta({ examples: ['GNH2J-TCN05-X4R4B-RCX7G-3JHZ2'] }),
          registered_domain: z.string().meta({ examples: ['toko-dewi.example'] }),
        }),
      )
      .optional()
      .describe(
        'The requesting domain, spelled as in the request, if the licence is registered for it. Other domains are not listed.',
      ),
    date_created: day,
    date_renewed: day,
    date_expiry: day,
    date: day.describe('Today.'),
    product_ref: z
      .string()
      .optional()
      .describe('The id of the product.')
      .meta({ examples: ['12'] }),
    email: none,
    first_name: none,
    last_name: none,
    company_name: none,
    txn_id: none,
    subscr_id: none,
  })
  .meta({ id: 'SlmReply' });
export type SlmReply = z.input<typeof SlmReply>;
