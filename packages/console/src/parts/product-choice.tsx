import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMay } from '../context/session.ts';
import { Choice } from './choice.tsx';

/** The newest products, as many as a choice can show. */
export function useProducts() {
  const may = useMay();
  return useQuery({
    queryKey: ['products', 'list', 'newest'],
    queryFn: async ({ signal }) => (await api.products.list({ per_page: 100 }, { signal })).data,
    enabled: may('products:read'),
  }).data;
}

interface ProductChoiceProps {
  readonly label: string;
  readonly hint: string;
  /** Ids of products. */
  readonly chosen: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}

/** Chooses products; chosen ones that aren't among the newest stay until they are removed. */
export function ProductChoice({ label, hint, chosen, onChange }: ProductChoiceProps) {
  const products = useProducts() ?? [];
  const known = new Set(products.map(({ id }) => id));
  const others = chosen.filter((id) => !known.has(id)).map((id) => ({ id, title: `#${id}` }));
  return (
    <fieldset className="scopes">
      <legend>{label}</legend>
      <p className="hint">{hint}</p>
      <div className="choices">
        {[...others, ...products].map(({ id, title }) => (
          <Choice
            key={id}
            name={title}
            checked={chosen.includes(id)}
            onChange={(isChosen) =>
              onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
