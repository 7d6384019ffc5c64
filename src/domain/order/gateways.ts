/** The ways to pay that are no provider's; `manual:<account>` names an account of the store. */
export const ownGateways = ['manual', 'cod', 'free'] as const;

/** Whether a gateway is a transfer to an account of the store. */
export const isTransferred = (gateway: string) => gateway.split(':')[0] === 'manual';

/** Whether its money comes when the order is handed over. */
export const isPaidOnDelivery = (gateway: string) => gateway === 'cod';
