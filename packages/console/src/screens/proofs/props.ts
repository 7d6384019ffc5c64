import type { ConfirmationWithOrder } from '../../api/generated.ts';

export interface ProofProps {
  readonly proof: ConfirmationWithOrder;
  /** Called once it is reviewed. */
  readonly onReviewed?: () => void;
}
