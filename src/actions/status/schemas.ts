import * as z from 'zod';
import { Status } from '../../domain/service/service.ts';

const Figure = z.object({
  value: z.number().nullable(),
  threshold: z.number().describe('The value from which the figure is out of order.'),
  passed: z.boolean(),
});

export const StoreStatus = Status.omit({ status: true })
  .extend({
    in_order: z
      .boolean()
      .describe('True if no figure has reached its threshold.')
      .meta({ examples: [true] }),
    figures: z
      .object({
        undelivered_event_age: Figure.describe(
          'Age of the oldest event that an active webhook has not received, in seconds; null for none.',
        ).meta({
          examples: [{ value: 12, threshold: 3600, passed: false }],
        }),
        failing_webhooks: Figure.describe(
          'Webhooks that fail, or were paused because they did.',
        ).meta({
          examples: [{ value: 0, threshold: 1, passed: false }],
        }),
        stuck_payments: Figure.describe(
          'Payments whose provider should have been asked more than 15 minutes ago.',
        ).meta({
          examples: [{ value: 0, threshold: 1, passed: false }],
        }),
        stuck_messages: Figure.describe('Messages that were due more than 15 minutes ago.').meta({
          examples: [{ value: 0, threshold: 1, passed: false }],
        }),
        unsent_refunds: Figure.describe(
          'Refunds that a provider could not pay, or that should have been sent more than 15 minutes ago.',
        ).meta({
          examples: [{ value: 0, threshold: 1, passed: false }],
        }),
        backup_age: Figure.describe(
          'Time since the store was last exported whole, in seconds; null if it never was.',
        ).meta({
          examples: [{ value: 86_400, threshold: 691_200, passed: false }],
        }),
        database_size: Figure.describe('Size of the database in bytes.').meta({
          examples: [{ value: 12_000_000, threshold: 10_000_000_000, passed: false }],
        }),
      })
      .meta({ id: 'StatusFigures' }),
  })
  .meta({ id: 'StoreStatus' });
export type StoreStatus = z.output<typeof StoreStatus>;
