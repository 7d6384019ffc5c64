/** The ways to pay that are no provider's; `manual:<account>` names an account of the store. */
export const ownGateways = ['manual', 'cod', 'free'] as const;

/** True for a transfer to an account of the store. */
export const isTransferred = (gateway: string) => gateway.split(':')[0] === 'manual';

export const isPaidOnDelivery = (gateway: string) => gateway === 'cod';
