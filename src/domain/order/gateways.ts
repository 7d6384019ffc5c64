/** Ways to pay without a provider; `manual:<account>` names an account of the store. */
export const ownGateways = ['manual', 'cod', 'free'] as const;

export const isTransferred = (gateway: string) => gateway.split(':')[0] === 'manual';

export const isPaidOnDelivery = (gateway: string) => gateway === 'cod';
