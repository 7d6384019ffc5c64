import type * as z from 'zod';
import { storable } from '../../lib/storable.ts';
import { kernelError } from '../errors/errors.ts';

/** Names the parameters that take values by key. */
const deepNames = (schema: z.ZodType): string[] =>
  Object.entries((schema as Partial<z.ZodObject>).shape ?? {})
    .filter(([, field]) => (field as z.ZodType).meta()?.['style'] === 'deepObject')
    .map(([name]) => name);

/** Gathers values given by key under their parameter: `meta[plan]=pro` becomes `{meta: {plan: 'pro'}}`. */
export function gathered(query: object, schema: z.ZodType): object {
  const deep = deepNames(schema);
  const others = { ...query } as Record<string, unknown>;
  for (const name of deep) {
    const given = Object.entries(query).filter(([each]) => each.startsWith(`${name}[`));
    for (const [each] of given) delete others[each];
    const values = given.map(([each, value]) => [keyOf(name, each), value]);
    if (values.length > 0) others[name] = Object.fromEntries(values);
  }
  return others;
}

function keyOf(name: string, given: string): string {
  const [, key = ''] = /^\[([^[\]]{1,100})\]$/.exec(given.slice(name.length)) ?? [];
  // Documents never have `__proto__`: as a filter, it would match every record.
  if (key !== '' && key !== '__proto__' && storable(key)) return key;
  throw kernelError('rest_invalid_param', {
    params: {
      [given]: `must be ${name}[key]=value, with a key of 1 to 100 characters without brackets`,
    },
  });
}
