import type { OrderFacts } from '../../../../domain/message/facts.ts';
import type { ProductRow } from '../../../../domain/product/rules.ts';
import type { OrderColumns } from '../../../../schema/orders.ts';
import type { LinkedFile } from '../files.tsx';
import type { StoreView } from '../store.ts';

/** Shown to whoever has the order's link. */
export interface OrderView {
  readonly token: string;
  /** False in a store that keeps no files: its buyers report a payment without a picture. */
  readonly takesPictures: boolean;
  /** True if the buyer comes back from the provider's page. */
  readonly returned: boolean;
  readonly order: OrderColumns;
  readonly facts: OrderFacts;
  readonly product: ProductRow['product'];
  /** True if the bank has taken the payment back and nobody has decided what follows. */
  readonly isTakenBack: boolean;
  /** The newest first. */
  readonly refunds: readonly {
    readonly amount: number;
    readonly state: keyof StoreView['texts']['refundStates'];
  }[];
  /** As the buyer wrote it. */
  readonly buyer: string;
  readonly reported: string | undefined;
  /** Empty if the seller gave none. */
  readonly rejectReason: string;
  readonly hasAccess: boolean;
  readonly files: readonly LinkedFile[];
}

/** The properties of a part of the page. */
export interface Part {
  readonly store: StoreView;
  readonly view: OrderView;
}
