type Period = 'daily' | 'monthly' | 'yearly';

const units: Readonly<Record<Period, string>> = { daily: 'day', monthly: 'month', yearly: 'year' };

const counted = (count: number, unit: string) => (count === 1 ? unit : `${count} ${unit}s`);

export const en = {
  shop: 'Shop',
  skip: 'Skip to the content',
  toShop: 'Go to the shop',
  noProducts: 'There is nothing for sale at the moment.',
  free: 'Free',
  insteadOf: 'instead of',
  every: (duration: number, period: Period) => `every ${counted(duration, units[period])}`,
  buy: 'Buy',
  getFree: 'Order for free',
  soldOut: 'Sold out',
  closed: 'Not for sale at the moment',
  missing: {
    title: 'Not found',
    text: 'There is nothing at this address. The link may be incomplete, or no longer valid.',
  },
  busy: {
    title: 'Please try again',
    text: 'The shop is busy. Nothing was ordered or changed. Wait a moment, then load the page again.',
  },
  refused: {
    title: 'This did not work',
    text: 'The request was not complete. Go back and try again.',
  },
};

export type Texts = typeof en;
