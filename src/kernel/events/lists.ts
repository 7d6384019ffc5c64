export const webhookStatuses = ['active', 'paused', 'disabled'] as const;

/** `gone`: the receiver answered 410; `failing`: five days without a success. */
export const pauseReasons = ['manual', 'gone', 'failing'] as const;

export const deliveryStatuses = ['success', 'failed'] as const;
