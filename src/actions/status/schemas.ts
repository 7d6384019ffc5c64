import * as z from 'zod';
import { Status } from '../../domain/service/service.ts';

const figure = (says: string, value: number, threshold: number) =>
  z
    .object({
      value: z.number().nullable(),
      threshold: z.number().describe('From here on the figure is out of order.'),
      passed: z.boolean(),
    })
    .describe(says)
    .meta({ examples: [{ value, threshold, passed: value >= threshold }] });

/** How a deployment does, for whoever operates it. */
export const StoreStatus = Status.omit({ status: true })
  .extend({
    in_order: z
      .boolean()
      .describe('Whether no figure passed its threshold.')
      .meta({ examples: [true] }),
    figures: z
      .object({
        undelivered_event_age: figure(
          'Age of the oldest event that an active webhook has not received, in seconds; null for none.',
          12,
          3600,
        ),
        failing_webhooks: figure('Webhooks that fail, or were paused because they did.', 0, 1),
        stuck_payments: figure(
          'Payments whose provider should have been asked more than 15 minutes ago.',
          0,
          1,
        ),
        stuck_messages: figure('Messages that were due more than 15 minutes ago.', 0, 1),
        unsent_refunds: figure(
          'Refunds that a provider could not pay, or that should have been sent more than 15 minutes ago.',
          0,
          1,
        ),
        backup_age: figure(
          'Time since the store was last exported whole, in seconds; null if it never was.',
          86_400,
          691_200,
        ),
        database_size: figure('Size of the database in bytes.', 12_000_000, 10_000_000_000),
      })
      .meta({ id: 'StatusFigures' }),
  })
  .meta({ id: 'StoreStatus' });
export type StoreStatus = z.output<typeof StoreStatus>;
