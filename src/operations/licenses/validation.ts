import { apiKey } from '../../kernel/auth/access.ts';
import type { Results } from '../../kernel/database/statements.ts';
import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findCase } from '../../queries/licenses.ts';
import { findActivation, touchActivation } from '../../queries/license-activations.ts';
import { type Asked, LicenseVerdict } from '../../domain/license/schemas.ts';
import { askedCode, askedString, verdictOn } from '../../domain/license/answers.ts';

export const loadCase = (asked: Asked) => ({
  found: findCase(askedCode(asked)),
  known: findActivation(askedCode(asked), askedString(asked)),
});

export const validate = {
  summary: 'Validate a licence and note where it is used',
  description:
    'Whether it may be used, for the string where one is given. HTTP 200 whatever the verdict: `code` says it for programs. The activation of the string gets the time as `last_seen_at`.',
  access: apiKey('licenses:write'),
  effect: 'write',
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
} as const;

export const validation = (asked: Asked, ifMatch: number | undefined, now: Date) => ({
  load: loadCase(asked),
  decide: ({ found, known: [known] }: Loaded) => {
    const row = current(found, ifMatch, 'license');
    if (isRefusal(row)) return row;
    const reply = verdictOn(row, known ?? null, asked, now);
    if (!known || !reply.valid) return { write: [], reply };
    const seen = { ...known, last_seen_at: now.toISOString() };
    return { write: [touchActivation(seen)], reply: verdictOn(row, seen, asked, now) };
  },
});

export type Loaded = Results<ReturnType<typeof loadCase>>;

export const status = {
  summary: 'Check a licence',
  description: 'The same verdict as `validate`, and nothing is noted.',
  access: apiKey('licenses:read'),
  effect: 'read',
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
} as const;

export async function checked(asked: Asked, db: ReadAccess, now: Date) {
  const { found, known } = await db.query(loadCase(asked));
  return found[0] ? verdictOn(found[0], known[0] ?? null, asked, now) : refuse('rest_not_found');
}
