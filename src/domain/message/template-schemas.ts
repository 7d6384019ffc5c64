import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { Id, Instant, requiredUpTo, textUpTo, trimmedUpTo } from '../../lib/schemas.ts';
import { languages, templateKinds, templateMedia } from '../../schema/lists.ts';
import { audiences } from './kinds.ts';
import { placeholders } from './placeholders.ts';

const Approved = z
  .object({
    name: z
      .string()
      .regex(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and _')
      .meta({ examples: ['order_placed'] }),
    variables: z
      .array(textUpTo(64))
      .max(20)
      .readonly()
      .describe("The placeholders that the template's variables stand for, in order.")
      .meta({ examples: [['name', 'order-number', 'amount']] }),
  })
  .describe(
    'For WhatsApp messages through the Cloud API: the template that Meta approved in this language. Without one, only people who wrote to the store in the last 24 hours can be written to.',
  );

const subject = textUpTo(300)
  .describe('One line; only e-mails have one.')
  .meta({ examples: ['Your order {{order-number}}'] });
const text = requiredUpTo(10_000)
  .describe('Plain text with `{{placeholders}}`.')
  .meta({ examples: ['Hello {{name}},\n\n{{how-to-pay}}'] });

const ShownText = z.object({
  subject,
  text,
  approved: Approved.nullable().meta({ examples: [null] }),
  own: z
    .boolean()
    .describe("True if the store wrote this text, false for the service's own.")
    .meta({ examples: [false] }),
});

export const MessageTemplate = z
  .object({
    kind: z.enum(templateKinds).meta({ examples: ['order-placed'] }),
    medium: z.enum(templateMedia),
    occasion: z
      .string()
      .describe('When it is sent.')
      .meta({ examples: ['An order was placed and waits for its payment.'] }),
    audience: z.enum(audiences),
    transactional: z
      .boolean()
      .describe('True if it is sent even to people who unsubscribed.')
      .meta({ examples: [true] }),
    active: z.boolean().meta({ examples: [true] }),
    texts: z.object({ en: ShownText, id: ShownText }),
    placeholders: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .meta({ examples: [[{ name: 'name', description: placeholders.name }]] }),
    updated_at: Instant.nullable().describe('Null until the store changes the template.'),
    version: z.int().describe('0 until the store changes the template.'),
  })
  .meta({ id: 'MessageTemplate' });
export type MessageTemplate = z.output<typeof MessageTemplate>;

export const TemplateParams = z.object({
  kind: z.enum(templateKinds),
  medium: z.enum(templateMedia),
});

const textUpdate = z
  .object({ subject, text, approved: Approved.nullable() })
  .partial()
  .nullable()
  .describe("Null = the service's own text. Fields you leave out stay as they are.");

export const TemplateUpdate = z
  .object({
    active: z.boolean().describe('True if messages of this kind are sent by this medium.'),
    texts: z.object({ en: textUpdate, id: textUpdate }).partial(),
  })
  .partial()
  .meta({
    id: 'MessageTemplateUpdate',
    examples: [{ texts: { en: { subject: 'Thank you for order {{order-number}}' } } }],
  });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

const draft = {
  language: z
    .enum(languages)
    .optional()
    .describe("By default that of the order's buyer, else the store's."),
  order_id: Id.optional().describe(
    'The order that it is filled in with; an invented one by default.',
  ),
  subject: subject.optional().describe('A subject to preview instead of the stored one.'),
  text: text.optional().describe('A subject to preview instead of the stored one.'),
};

export const TemplatePreview = z
  .object(draft)
  .meta({ id: 'MessageTemplatePreview', examples: [{ order_id: 1, language: 'id' }] });
export type TemplatePreview = z.output<typeof TemplatePreview>;

export const TemplateTest = z
  .object({
    ...draft,
    recipient: trimmedUpTo(254)
      .min(3)
      .describe('An e-mail address or a phone number.')
      .meta({ examples: ['me@demo.example'] }),
  })
  .meta({ id: 'MessageTemplateTest', examples: [{ recipient: 'me@demo.example' }] });

export const PreviewReply = record(
  z.object({
    language: z.enum(languages),
    subject: z.string().meta({ examples: ['Your order INV-2026-0012'] }),
    text: z.string().meta({ examples: ['Hello Dewi Kartika'] }),
    html: z
      .string()
      .nullable()
      .describe('HTML for e-mail programs; null for other media.')
      .meta({ examples: ['<p>Hello Dewi Kartika</p>'] }),
  }),
);

export const TemplateReply = record(MessageTemplate);
