import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const confirmationErrors = {
  confirmation_not_pending: [409, 'This confirmation has been reviewed or superseded.'],
  proof_missing: [404, 'This confirmation has no proof.'],
  proof_not_shown: [422, 'The proof is not a picture that can be shown.'],
  proof_unreachable: [502, 'The proof could not be fetched from its address.'],
} as const satisfies ErrorTable;
