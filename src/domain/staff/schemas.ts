import * as z from 'zod';
import { Id, Instant, uniqueNameUpTo } from '../../lib/schemas.ts';
import { scopes } from '../../schema/scopes.ts';
import { isInConsole } from '../user/capabilities.ts';

const name = uniqueNameUpTo(100).meta({ examples: ['Orders'] });

const scope = z.enum(scopes.map((each) => each.name)).refine(isInConsole, 'is for API keys alone');

const fields = {
  name: name.describe('Unique, whatever the case.'),
  scopes: z
    .array(scope)
    .min(1)
    .max(scopes.length)
    .describe('What its people may do in the console, by the scopes of API keys.')
    .meta({ examples: [['orders:read', 'confirmations:read', 'confirmations:write']] }),
};

export const StaffRole = z
  .object({
    id: Id,
    name,
    scopes: z
      .array(z.string())
      .describe('What its people may do in the console, by the scopes of API keys.')
      .meta({ examples: [['orders:read', 'confirmations:read', 'confirmations:write']] }),
    built_in: z.boolean().describe('Whether every store has it: it can be changed, not deleted.'),
    users: z
      .int()
      .describe('How many people have it.')
      .meta({ examples: [2] }),
    created_at: Instant,
    updated_at: Instant,
    version: z.int(),
  })
  .meta({ id: 'StaffRole' });
export type StaffRole = z.output<typeof StaffRole>;

export const StaffRoleCreate = z.object(fields).meta({ id: 'StaffRoleCreate' });
export type StaffRoleCreate = z.output<typeof StaffRoleCreate>;

export const StaffRoleUpdate = z.object(fields).partial().meta({ id: 'StaffRoleUpdate' });
export type StaffRoleUpdate = z.output<typeof StaffRoleUpdate>;
