import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { catalogue, eventPatterns } from '../../../src/domain/webhook/catalogue.ts';
import { defineEvents } from '../../../src/kernel/events/define.ts';
import { patternsFor } from '../../../src/kernel/events/outbox.ts';
import { typeOf } from '../../../src/kernel/events/send.ts';

const resources = new URL('../../../src/domain/', import.meta.url);
const declaring = readdirSync(resources, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('/events.ts'),
);

async function declaredIn(file: string): Promise<string[]> {
  const module = (await import(new URL(file, resources).href)) as Record<string, unknown>;
  return Object.values(module).flatMap((item) =>
    typeof item === 'function' && 'declared' in item ? Object.keys(item.declared as object) : [],
  );
}

describe('The catalogue', () => {
  test.each(declaring)('has every event of %s', async (file) => {
    const names = await declaredIn(file);
    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(catalogue)).toEqual(expect.arrayContaining(names));
  });

  test('has no event that belongs to two resources', async () => {
    const names = (await Promise.all(declaring.map(declaredIn))).flat();
    expect([...new Set(names)]).toEqual(names);
  });

  test.each(Object.entries(catalogue))('documents what %s means and contains', (name, event) => {
    expect(name).toMatch(/^([a-z-]+\.[a-z-]+|ping)$/);
    expect(event.summary).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(event.payload.shape)).toContain('id');
  });

  test('offers each event, each resource and all of them as a pattern, once', () => {
    expect(eventPatterns).toEqual(
      expect.arrayContaining(['*', 'order.*', 'order.created', 'ping']),
    );
    expect(new Set(eventPatterns).size).toBe(eventPatterns.length);
    expect(eventPatterns).not.toContain('ping.*');
  });
});

describe('An event', () => {
  const thing = defineEvents('orders:read', {
    'thing.made': { summary: 'Made.', payload: z.object({ id: z.int(), name: z.string() }) },
  });

  test('that is not declared, or has another record, does not compile', () => {
    // @ts-expect-error -- no such event
    expect(() => thing('thing.lost', { id: 1, name: 'a' })).toThrow('undefined');
    // @ts-expect-error -- the record has no name
    expect(() => thing('thing.made', { id: 1 })).toThrow('name');
  });

  test('carries only what its schema says', () => {
    const row = { id: 1, name: 'a', secret: 'kept' };
    expect(thing('thing.made', row).data).toEqual({ id: 1, name: 'a' });
  });

  test('is matched by its name, by its resource and by all', () => {
    expect(patternsFor('order.status-updated')).toEqual(['order.status-updated', 'order.*', '*']);
    expect(patternsFor('ping')).toEqual(['ping', '*']);
    expect(typeOf('order.status-updated')).toBe('order-status-updated');
  });
});
