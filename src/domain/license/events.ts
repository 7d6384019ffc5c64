import { defineEvents } from '../../kernel/events/define.ts';
import * as z from 'zod';
import { Activation, License } from './schemas.ts';

export const licenseEvent = defineEvents('licenses:read', {
  'license.created': {
    summary: 'A licence was created, by an order or by a caller.',
    payload: License,
  },
  'license.activated': {
    summary: 'A licence was registered for a string.',
    payload: License.extend({
      string: z
        .string()
        .describe('The string it was registered for.')
        .meta({ examples: ['toko-dewi.example'] }),
      strings: z
        .array(z.string())
        .describe('Only this string; other registrations of the licence are left out.')
        .meta({ examples: [['toko-dewi.example']] }),
      activations: z.array(Activation).describe('Only this activation.'),
      activation: Activation,
    }).meta({ id: 'ActivatedLicense' }),
  },
  'license.deactivated': {
    summary: 'A licence was unregistered from a string, or from all.',
    payload: License.extend({
      released: z
        .string()
        .nullable()
        .describe('The string; null if all were unregistered.')
        .meta({ examples: ['old.toko-dewi.example'] }),
      string: z
        .string()
        .nullable()
        .describe('Always null: `activation` has the registration that ended.')
        .meta({ examples: [null] }),
      strings: z
        .array(z.string())
        .describe('Always empty: `GET /licenses/{id}` has those that are left.')
        .meta({ examples: [[]] }),
      activations: z
        .array(Activation)
        .describe('Always empty: `GET /licenses/{id}` has those that are left.')
        .meta({ examples: [[]] }),
      activation: Activation.nullable().describe(
        'The activation that was removed; null if all were removed.',
      ),
    }).meta({ id: 'DeactivatedLicense' }),
  },
  'license.status-updated': {
    summary: "A licence's status changed.",
    payload: License,
  },
});

/** Carries only this activation. */
export const activatedEvent = (license: License, activation: Activation) =>
  licenseEvent('license.activated', {
    ...license,
    string: activation.string,
    strings: [activation.string],
    activations: [activation],
    activation,
  });

/**
 * Carries only the removed activation.
 * @param activation undefined if all were removed
 */
export const deactivatedEvent = (license: License, activation: Activation | undefined) =>
  licenseEvent('license.deactivated', {
    ...license,
    ...{ string: null, strings: [], activations: [] },
    activation: activation ?? null,
    released: activation?.string ?? null,
  });
