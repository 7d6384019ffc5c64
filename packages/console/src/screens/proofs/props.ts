import type { ConfirmationWithOrder } from '../../api/generated.ts';

export interface ProofProps {
  readonly proof: ConfirmationWithOrder;
  /** Called after the review. */
  readonly onReviewed?: () => void;
}
