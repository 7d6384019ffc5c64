import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { type Scope, useMay } from '../context/session.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Names records by their ids: “#12” while a name is unknown, or if the account may not read it. */
function useNames(
  resource: 'users' | 'orders' | 'products',
  ids: readonly (number | null)[],
  read: (ids: string, options: { readonly signal: AbortSignal }) => Promise<readonly Named[]>,
): (id: number) => string {
  const may = useMay();
  const scope: Scope = `${resource}:read`;
  const asked = [...new Set(ids.filter((id) => id !== null))].toSorted((a, b) => a - b).join(',');
  const { data = [] } = useQuery({
    queryKey: [resource, 'list', 'names', asked],
    queryFn: ({ signal }) => read(asked, { signal }),
    placeholderData: keepPreviousData,
    enabled: asked !== '' && may(scope),
  });
  const names = new Map(data.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `#${id}`;
}

/** Names customers by their ids, a hundred at most. */
export const useCustomerNames = (ids: readonly (number | null)[]) =>
  useNames('users', ids, async (asked, options) =>
    (await api.users.list({ ids: asked, per_page: 100 }, options)).data.map(
      ({ id, display_name }) => ({ id, name: display_name }),
    ),
  );

/** The numbers of orders by their ids, a hundred at most. */
export const useOrderNumbers = (ids: readonly (number | null)[]) =>
  useNames('orders', ids, async (asked, options) =>
    (await api.orders.list({ ids: asked, per_page: 100 }, options)).data.map(({ id, number }) => ({
      id,
      name: number,
    })),
  );

/** The titles of products by their ids, a hundred at most. */
const useProductTitles = (ids: readonly (number | null)[]) =>
  useNames('products', ids, async (asked, options) =>
    (await api.products.list({ ids: asked, per_page: 100 }, options)).data.map(({ id, title }) => ({
      id,
      name: title,
    })),
  );

interface LinkProps {
  readonly id: number;
}

/** The name of a customer as a link, or only “#12” for erased people and accounts that may not read users. */
export function CustomerLink({ id }: LinkProps) {
  const name = useCustomerNames([id])(id);
  return name === `#${id}` ? name : <Link href={`/customers/${id}`}>{name}</Link>;
}

export function OrderLink({ id }: LinkProps) {
  const number = useOrderNumbers([id])(id);
  return useMay()('orders:read') ? <Link href={`/orders/${id}`}>{number}</Link> : number;
}

export function ProductLink({ id }: LinkProps) {
  const title = useProductTitles([id])(id);
  return useMay()('products:read') ? <Link href={`/products/${id}`}>{title}</Link> : title;
}
