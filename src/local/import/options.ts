/** The options that all shops of WordPress take, with what each says. */
export const shopOptions = {
  timezone: "the shop's time zone, where its settings don't say it: Asia/Jakarta",
  exponent: "decimals of the currency, where they aren't the usual ones: 0",
  status: "what the shop's own statuses are with us: wc-packed=shipping,wc-lost=cancelled",
  administrators: "yes or no: whether the shop's administrators are the store's as well (no)",
} as const;
