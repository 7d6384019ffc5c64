/** Drawings on a grid of 24, as paths; strokes take the colour of the text. */
const drawings = {
  home: 'M4 11.5 12 5l8 6.500M6 10v9h4.500v-5h3v5H18v-9',
  orders: 'M6 8h12l1 12H5L6 8Zm3 3V7a3 3 0 0 1 6 0v4',
  proofs: 'M7 3.500h10v17l-2.5-1.800L12 20.500l-2.5-1.800L7 20.500v-17ZM10 8.500h4M10 12h4',
  products: 'M4 8.500 12 4.500l8 4v7.500l-8 4-8-4V8.500Zm0 0 8 4 8-4M12 12.500V20',
  coupons:
    'M4 7h16v3.500a1.700 1.700 0 0 0 0 3.400V17H4v-3.100a1.700 1.700 0 0 0 0-3.400V7Zm9.500 2v1.500m0 2.500V14.500',
  customers:
    'M12 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM5.500 19.500c.7-3.300 3.200-5 6.500-5s5.800 1.700 6.500 5h-13Z',
  tree: 'M12 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-6.500 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm13 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 7.500V12m-6.500 4.500V12h13v4.500',
  subscriptions: 'M5 12a7 7 0 0 1 12-5l2 2M19 5v4h-4M19 12a7 7 0 0 1-12 5l-2-2M5 19v-4h4',
  licences:
    'M4.500 6h15v9.500h-15V6Zm3 3.500h5M7.500 12h3M16 15.500v5l-1.500-1-1.500 1v-5M16.500 12.500a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  access: 'M6 11h12v9H6v-9Zm2.500 0V8a3.500 3.500 0 0 1 7 0v3M12 14.500v2',
  figures: 'M4.500 19.500h15M7 16v-4.500M12 16V6.500M17 16v-7',
  messages: 'M4 6h16v12H4V6Zm0 1 8 6 8-6',
  commissions:
    'M5 19 19 5M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM16 18.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  payouts:
    'M3.500 7h17v10h-17V7ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM6.500 10v4M17.500 10v4',
  team: 'M9 11.500a3.3 3.3 0 1 0 0-6.600 3.3 3.3 0 0 0 0 6.600ZM3 19c.6-3.200 2.900-5 6-5s5.4 1.800 6 5M15.5 5.200a3.2 3.2 0 0 1 0 6.100M17.500 14.300c2 .6 3.200 2.300 3.600 4.700',
  settings:
    'M4 7h8.500M17.500 7H20M4 17h2.500M11.500 17H20M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  keys: 'M14.5 9.500a4.5 4.5 0 1 1-2.8-4.160A4.5 4.5 0 0 1 14.5 9.500Zm-.9 2.8 7 7M17.5 16.200l-2 2',
  webhooks:
    'M9.5 10.5 6.5 16M9.5 10.500a3.3 3.3 0 1 1 5-2.500M14.5 13.5 12 8M14.5 13.500a3.3 3.3 0 1 1-.6 4.500M6.5 16H14M6.5 16A3.3 3.3 0 1 0 9 18',
  audit: 'M12 7.500V12l3 2M4.5 12a7.5 7.5 0 1 0 2.4-5.500L4.5 8.700M4.5 4.800v3.900h3.9',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13Zm4.7-1.800L20 20',
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 12.5 4.5 4.500L19 7.5',
  down: 'm6 9.5 6 6 6-6',
  left: 'm14.5 6-6 6 6 6',
  right: 'm9.5 6 6 6-6 6',
  copy: 'M9 9h10v11H9V9Zm-4 6V4h10',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.500c.8-3.9 3.7-6 7.5-6s6.7 2.1 7.5 6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  alert: 'M12 4 3 19.500h18L12 4Zm0 6v4.500m0 2.700v.1',
  external: 'M13.5 5H19v5.500M19 5l-8 8M16.5 14v5H5V7.500h5',
  plus: 'M12 5v14M5 12h14',
} as const;

export type IconName = keyof typeof drawings;

/** A drawing beside a text that says the same; by itself it takes a label where it is used. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={drawings[name]} />
  </svg>
);
