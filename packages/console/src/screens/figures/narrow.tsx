import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import type { Period } from '../../lib/periods.ts';
import { DayField, FilterChips } from '../../parts/filters.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { Select } from '../../parts/select.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface NarrowProps {
  readonly state: ListState;
  readonly chosen: Period;
}

export function Narrow({ state, chosen: { from, to } }: NarrowProps) {
  const t = useTexts(texts);
  const may = useMay();
  const products = useProducts() ?? [];
  const { data: coupons = [] } = useQuery({
    queryKey: ['coupons', 'list', 'newest'],
    queryFn: async ({ signal }) => (await api.coupons.list({ per_page: 100 }, { signal })).data,
    enabled: may('coupons:read'),
  });
  const { vs = 'before', product_id = '', coupon = '', affiliate_id = '' } = state.values;
  const affiliate = useQuery({
    queryKey: ['users', Number(affiliate_id)],
    queryFn: async ({ signal }) => (await api.users.get(Number(affiliate_id), { signal })).data,
    enabled: affiliate_id !== '' && may('users:read'),
  }).data;
  return (
    <div className="toolbar">
      <DayField name={t.from} value={from} onChange={(date) => state.set({ from: date, to })} />
      <DayField name={t.to} value={to} onChange={(date) => state.set({ from, to: date })} />
      <Select
        label={t.beside}
        value={vs}
        options={Object.entries(t.besides)}
        onChange={(value) => state.set({ vs: value })}
      />
      <Select
        label={t.product}
        value={product_id}
        options={[
          ['', t.allProducts],
          ...products.map(({ id, title }) => [String(id), title] as const),
        ]}
        onChange={(id) => state.set({ product_id: id })}
      />
      <Select
        label={t.coupon}
        value={coupon}
        options={[['', t.allCoupons], ...coupons.map(({ code }) => [code, code] as const)]}
        onChange={(code) => state.set({ coupon: code })}
      />
      {affiliate_id && (
        <FilterChips
          items={[
            {
              name: t.affiliate,
              value: affiliate?.display_name ?? `#${affiliate_id}`,
              onRemove: () => state.set({ affiliate_id: '' }),
            },
          ]}
        />
      )}
    </div>
  );
}
