/** The variables of the deployment that switch each payment provider on. */
export const providerVariables = {
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  midtrans: ['MIDTRANS_SERVER_KEY'],
  duitku: ['DUITKU_MERCHANT_CODE', 'DUITKU_API_KEY'],
  xendit: ['XENDIT_SECRET_KEY', 'XENDIT_CALLBACK_TOKEN'],
  paypal: ['PAYPAL_CLIENT_ID', 'PAYPAL_SECRET', 'PAYPAL_WEBHOOK_ID'],
} as const;

export const providers = Object.keys(providerVariables) as (keyof typeof providerVariables)[];
