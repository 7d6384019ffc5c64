import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { projectionOf } from '../../../src/kernel/endpoint/projection.ts';

const Person = z.object({ id: z.int(), name: z.string().nullable(), email: z.string().optional() });
const Reply = z.object({
  success: z.literal(true),
  data: z.object({
    person: Person.nullable(),
    people: z.array(Person),
    sums: z.record(z.string(), z.object({ amount: z.int() })),
    owner: z.union([Person, z.null()]),
    meta: z.record(z.string(), z.json()),
  }),
});

const person = { id: 1, name: null, password: 'secret' };
const value = {
  success: true,
  trace: 'secret',
  data: {
    person,
    people: [person, { ...person, email: 'a@b.example' }],
    sums: { idr: { amount: 5, of: 'secret' } },
    owner: person,
    meta: { nested: [{ any: 'thing' }] },
    key: 'secret',
  },
};

describe('A projection', () => {
  it('lets out exactly what parsing lets out, at every depth', () => {
    const shown = projectionOf(Reply)(value);
    expect(shown).toEqual(Reply.parse(value));
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  it('distinguishes alternatives as parsing does', () => {
    const Ids = z.object({ data: z.array(z.int()) });
    const People = z.object({ data: z.array(Person) });
    const Sum = z.object({ data: z.object({ count: z.int(), sum: z.int() }) });
    const Count = z.object({ data: z.object({ count: z.int() }) });
    const Any = z.union([Ids, People, Sum, Count]);
    for (const data of [[], [1, 2], [person], { count: 1 }, { count: 1, sum: 2, of: 'secret' }]) {
      expect(projectionOf(Any)({ data })).toEqual(Any.parse({ data }));
    }
    expect(() => projectionOf(Any)({ data: ['secret'] })).toThrow(TypeError);
  });

  it('leaves out what is undefined, and keeps null', () => {
    expect(projectionOf(Person)({ id: 1, name: null, email: undefined })).toStrictEqual({
      id: 1,
      name: null,
    });
  });

  it('refuses an object where the schema has a plain value: its fields are declared nowhere', () => {
    expect(() => projectionOf(Person)({ id: 1, name: { password: 'secret' } })).toThrow(TypeError);
    expect(() => projectionOf(Person)({ id: [1], name: null })).toThrow(TypeError);
  });
});
