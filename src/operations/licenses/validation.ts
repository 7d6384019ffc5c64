import { apiKey } from '../../kernel/auth/access.ts';
import type { Results } from '../../kernel/database/statements.ts';
import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { isStale, refuse } from '../../kernel/errors/errors.ts';
import { findCase } from '../../queries/licenses.ts';
import { findActivation, touchActivation } from '../../queries/license-activations.ts';
import { type Asked, LicenseVerdict } from '../../domain/license/schemas.ts';
import { askedCode, askedString, verdictOn } from '../../domain/license/answers.ts';

export const loadCase = (asked: Asked) => ({
  found: findCase(askedCode(asked)),
  known: findActivation(askedCode(asked), askedString(asked)),
});

export const validate = {
  summary: 'Validate a licence and record its use',
  description:
    "Says whether the licence may be used and, if a string is given, whether it may be used there. Answers 200 whatever the verdict, which is in `code`. Sets `last_seen_at` of the string's activation to the current time.",
  access: apiKey('licenses:write'),
  effect: 'write',
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
} as const;

export const validation = (asked: Asked, ifMatch: number | undefined, now: Date) => ({
  load: loadCase(asked),
  decide: ({ found: [row], known: [known] }: Loaded) => {
    if (!row) return refuse('rest_not_found');
    if (isStale(ifMatch, row.license)) return refuse('rest_conflict');
    const reply = verdictOn(row, known ?? null, asked, now);
    if (!known || !reply.valid) return { write: [], reply };
    const seen = { ...known, last_seen_at: now.toISOString() };
    return { write: [touchActivation(seen)], reply: verdictOn(row, seen, asked, now) };
  },
});

export type Loaded = Results<ReturnType<typeof loadCase>>;

export const status = {
  summary: 'Check a licence',
  description: 'Gives the same verdict as `validate` without recording the use.',
  access: apiKey('licenses:read'),
  effect: 'read',
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
} as const;

export async function checked(asked: Asked, db: ReadAccess, now: Date) {
  const { found, known } = await db.query(loadCase(asked));
  return found[0] ? verdictOn(found[0], known[0] ?? null, asked, now) : refuse('rest_not_found');
}
