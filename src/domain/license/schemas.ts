import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { changeParameters } from '../../kernel/lists/query.ts';
import { metaValues, queryBoolean, queryId, search } from '../../kernel/schemas/parameters.ts';
import {
  Id,
  Instant,
  InstantInput,
  Meta,
  changeFields,
  nameUpTo,
  noteText,
  shortText,
  textUpTo,
} from '../../lib/schemas.ts';
import { isSeen } from '../../lib/text.ts';
import { licenseStatuses } from '../../schema/lists.ts';
import { Subscription } from '../subscription/schemas.ts';
import { verdictCodes } from './verdict-codes.ts';

/** The demo store has a licence with this code. */
export const exampleCode = '7KQ2M-XJ4TD-90BWE-HC5RN-A3VF2';

export const activationsShown = 100;

export const Activation = z
  .object({
    id: Id,
    string: z.string(),
    label: z.string(),
    meta: z.record(z.string(), z.json()),
    seat: z.boolean().describe('True if it takes a seat; development hosts take none.'),
    first_at: Instant,
    last_seen_at: Instant.describe('When it was last registered or validated.'),
  })
  .meta({
    id: 'LicenseActivation',
    examples: [
      {
        id: 7,
        string: 'toko-dewi.example',
        label: 'Main site',
        meta: {},
        seat: true,
        first_at: '2026-03-10T09:00:00.000Z',
        last_seen_at: '2026-03-11T02:15:30.000Z',
      },
    ],
  });
export type Activation = z.output<typeof Activation>;

export const License = z
  .object({
    id: Id,
    code: z.string().meta({ examples: [exampleCode] }),
    product_id: Id,
    order_id: Id.nullable().describe(
      'The order that pays for it; for a subscription, its first order; null if there is none.',
    ),
    user_id: Id,
    status: z.enum(licenseStatuses).meta({ examples: ['active'] }),
    string: z
      .string()
      .nullable()
      .describe('The first of `strings`; null if there is none.')
      .meta({ examples: ['toko-dewi.example'] }),
    strings: z
      .array(z.string())
      .describe('The hosts, machines or other strings it is registered for.')
      .meta({ examples: [['toko-dewi.example']] }),
    activations: z.array(Activation).describe(`The first ${activationsShown} of them.`),
    activation_limit: z
      .int()
      .describe('Number of seats; 0 = no limit.')
      .meta({ examples: [3] }),
    activation_count: z
      .int()
      .describe('Number of seats taken.')
      .meta({ examples: [1] }),
    remaining: z
      .int()
      .nullable()
      .describe('Number of seats left; null = no limit.')
      .meta({ examples: [2] }),
    expires_at: Instant.nullable()
      .describe('When it expires: the end of its last term; null = never.')
      .meta({ examples: ['2027-03-10T09:00:00.000Z'] }),
    terms: z
      .array(
        z
          .object({
            order_id: Id.nullable().describe(
              'The order that pays for the term; null for an expiry set manually.',
            ),
            from: Instant,
            to: Instant.nullable().describe('Null = no end.'),
          })
          .meta({ id: 'LicenseTerm' }),
      )
      .describe('The terms that make up its lifetime: one for each order that paid for it.')
      .meta({
        examples: [
          [{ order_id: 12, from: '2026-03-10T09:00:00.000Z', to: '2027-03-10T09:00:00.000Z' }],
        ],
      }),
    reset_count: z.int().describe('Number of resets in the last 30 days.'),
    max_resets: z
      .int()
      .describe('Number of resets allowed in 30 days.')
      .meta({ examples: [3] }),
    note: z.string().nullable(),
    meta: z.record(z.string(), z.json()),
    ...changeFields,
  })
  .meta({ id: 'License' });
export type License = z.output<typeof License>;

const reveal = queryBoolean
  .optional()
  .describe('Show codes in full, instead of only their last four characters.');

export const LicenseQuery = z.object({
  ...changeParameters,
  order_id: queryId
    .optional()
    .describe('Only licences paid for by this order; for a subscription, give its first order.'),
  user_id: queryId.optional(),
  product_id: queryId.optional(),
  status: z.enum(licenseStatuses).optional(),
  search: search
    .optional()
    .describe(
      'Part of a code or of a registered string, or an id. For a complete code or string, only exact matches are returned.',
    ),
  meta: metaValues,
  reveal,
});
export type LicenseQuery = z.output<typeof LicenseQuery>;

export const LicenseReveal = z.object({ reveal });

const codeText = textUpTo(255).min(1);
const Code = codeText.meta({ examples: [exampleCode] });

const stringText = nameUpTo(500).refine(isSeen, 'must not be empty');
const LicensedString = stringText.meta({ examples: ['https://www.toko-dewi.example/'] });

export const CodeParams = z.object({
  code: Code.describe(
    'The licence code, in upper or lower case; the hyphens of a code that was issued here are optional.',
  ),
});

export const StringParams = z.object({
  string: LicensedString.describe('A host name, a URL, or any other string.'),
});

const limit = z.int().min(0).max(1_000_000).describe('Number of seats; 0 = no limit.');

export const LicenseCreate = z
  .strictObject({
    product_id: Id,
    user_id: Id.describe('The user the licence belongs to.'),
    order_id: Id.nullable().optional().describe('An order this user placed for this product.'),
    status: z
      .enum(licenseStatuses)
      .optional()
      .describe('`active` by default. An inactive one stays so, whatever happens to its orders.'),
    activation_limit: limit
      .optional()
      .describe('Number of seats; 0 = no limit. By default as the product specifies.'),
    expires_at: InstantInput.nullable()
      .optional()
      .describe('When it expires; null = never. By default as the product specifies.'),
    note: noteText.nullable().optional(),
    meta: Meta.optional(),
  })
  .meta({
    id: 'LicenseCreate',
    examples: [{ product_id: 2, user_id: 4, activation_limit: 5, note: 'For the reviewer.' }],
  });
export type LicenseCreate = z.output<typeof LicenseCreate>;

export const LicenseUpdate = z
  .object({
    status: z.enum(licenseStatuses),
    activation_limit: limit,
    expires_at: InstantInput.nullable().describe(
      'When it expires; null = never. Renewals extend it.',
    ),
    note: noteText.nullable(),
    meta: Meta,
  })
  .partial()
  .meta({ id: 'LicenseUpdate', examples: [{ status: 'inactive', note: 'Shared in public.' }] });
export type LicenseUpdate = z.output<typeof LicenseUpdate>;

const named = {
  license: Code.optional().describe(
    'The licence code, in upper or lower case; the hyphens of a code that was issued here are optional. Required.',
  ),
  code: codeText.optional().describe('Alias of `license`.'),
};
const placed = {
  string: LicensedString.optional().describe(
    'A host name, a URL, or any other string. Of a URL, only the host without `www.` counts.',
  ),
  host: stringText.optional().describe('Alias of `string`.'),
};
const claimed = {
  product_id: Id.optional().describe('The product the licence must be for.'),
  user_id: Id.optional().describe('The user the licence must belong to.'),
};
const claimedByQuery = {
  product_id: queryId.optional().describe('The product the licence must be for.'),
  user_id: queryId.optional().describe('The user the licence must belong to.'),
};

/** Accepts a field under two names, and requires one of them. */
const either = <T extends string>(
  name: T,
  alias: T,
): [(input: Partial<Record<T, unknown>>) => boolean, { path: string[]; message: string }] => [
  (input) => input[name] !== undefined || input[alias] !== undefined,
  { path: [name], message: 'is required' },
];
const code = either('license', 'code');
const string = either('string', 'host');

const example = { license: exampleCode, string: 'toko-dewi.example' };

export interface LicenseQuestion {
  readonly license?: string | undefined;
  readonly code?: string | undefined;
  readonly string?: string | undefined;
  readonly host?: string | undefined;
  readonly product_id?: number | undefined;
  readonly user_id?: number | undefined;
}

export const LicenseCheck = z
  .object({ ...named, ...placed, ...claimed })
  .refine(...code)
  .meta({ id: 'LicenseCheck', examples: [example] });
export const LicenseCheckQuery = z
  .object({ ...named, ...placed, ...claimedByQuery })
  .refine(...code);

export const LicenseReset = z
  .strictObject({ ...named, ...placed, ...claimed })
  .refine(...code)
  .meta({ id: 'LicenseReset', examples: [example] });
export const LicenseResetQuery = z
  .strictObject({ ...named, ...placed, ...claimedByQuery })
  .refine(...code);

export const LicenseUnregister = z
  .strictObject({ ...named, ...placed, ...claimed })
  .refine(...code)
  .refine(...string)
  .meta({ id: 'LicenseUnregister', examples: [example] });
export const LicenseUnregisterQuery = z
  .strictObject({ ...named, ...placed, ...claimedByQuery })
  .refine(...code)
  .refine(...string);

export const LicenseRegister = z
  .strictObject({
    ...named,
    ...placed,
    ...claimed,
    label: shortText.optional().describe('A name for the installation, for people.'),
    meta: Meta.optional(),
  })
  .refine(...code)
  .refine(...string)
  .meta({ id: 'LicenseRegister', examples: [{ ...example, label: 'Main site' }] });

const verdict = {
  valid: z.boolean(),
  code: z.enum(verdictCodes),
  message: z
    .string()
    .describe('The verdict, for people.')
    .meta({ examples: ['The licence is valid.'] }),
};

export const LicenseVerdict = record(
  z.object({
    license: License,
    activation: Activation.nullable().describe(
      'The activation of the given string; null if there is none.',
    ),
    subscription: Subscription.pick({
      id: true,
      type: true,
      status: true,
      start: true,
      end_date: true,
    })
      .nullable()
      .describe('The subscription that pays for the licence; null if there is none.'),
    order_id: Id.nullable(),
    product_id: Id,
    product_title: z.string().meta({ examples: ['Invoice Desk'] }),
  }),
)
  .extend(verdict)
  .meta({ id: 'LicenseVerdict' });

export const LicenseRegistration = record(
  z.object({
    license: License,
    activation: Activation.nullable().describe('Null if the licence may not be used.'),
    remaining: z.int().nullable().describe('Number of seats left; null = no limit.'),
  }),
).extend({
  ...verdict,
  success: z
    .boolean()
    .describe('True if the licence is registered now; equals `valid`.')
    .meta({ examples: [true] }),
});

export const LicenseRelease = record(
  z
    .object({
      license: License,
      released: z
        .int()
        .describe('Number of strings removed.')
        .meta({ examples: [1] }),
      remaining: z.int().nullable().describe('Number of seats left; null = no limit.'),
    })
    .meta({ id: 'LicenseRelease' }),
);
