import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { StaffRole, User } from '../../api/generated.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** The roles in the console, built-in ones first. */
export function useRoles() {
  const names: Readonly<Record<string, string>> = useTexts(texts).builtIn;
  const named = (role: StaffRole): StaffRole => ({
    ...role,
    name: (role.built_in && names[role.name]) || role.name,
  });
  return useQuery({
    queryKey: ['team', 'roles'],
    queryFn: async ({ signal }) => (await api.staffRoles.list({ signal })).data,
    select: (roles) => roles.map(named),
  });
}

/** All people with a role in the console. */
export const usePeople = () =>
  useQuery({
    queryKey: ['team', 'people'],
    queryFn: async ({ signal }) =>
      (await api.users.list({ staff: true, per_page: 100 }, { signal })).data,
  });

/** Invalidates the data about the team; one's own role may have changed. */
export function useForgetTeam(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: ['session'] });
    await client.invalidateQueries({ queryKey: ['team'] });
  };
}

export function useRoleName(roles: readonly StaffRole[] | undefined): (user: User) => string {
  const t = useTexts(texts);
  return ({ roles: given, staff_role_id }) => {
    if (given.includes('administrator')) return t.administrator;
    return roles?.find(({ id }) => id === staff_role_id)?.name ?? t.noRole;
  };
}
