import type { ConfirmationWithOrder } from '../../api/generated.ts';

export interface ProofProps {
  readonly proof: ConfirmationWithOrder;
  readonly onReviewed?: () => void;
}
