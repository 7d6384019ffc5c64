import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMay } from './session.ts';

/** A person's phone, empty without one; undefined until it is read, or if the account may not read it. */
export function usePhone(userId: number | undefined): string | undefined {
  const may = useMay();
  return useQuery({
    queryKey: ['users', userId, 'phone'],
    queryFn: async ({ signal }) => (await api.users.get(userId ?? 0, { signal })).data.phone,
    enabled: userId !== undefined && may('users:read'),
  }).data;
}
