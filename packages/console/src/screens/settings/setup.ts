import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../client/src/errors.ts';
import { api } from '../../api/client.ts';
import type { ConsoleSetup, Settings, SettingsUpdate } from '../../api/generated.ts';
import { type Draft, useDraft } from '../../context/draft.ts';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const key = ['setup'];

/** The settings with the records that they depend on. */
export const useSetup = () =>
  useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.console.setup.get({ signal })).data,
  });

export interface SettingsPart {
  readonly setup: ConsoleSetup;
}

/** Settings in a form: numbers may be empty while they are typed. */
export type SettingsDraft = Draft<Settings>;

/** The values typed over one part of the settings, and the action that saves them over the shown version. */
export function useSettings(part: string, { settings }: ConsoleSetup) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const draft = useDraft<Settings>(`settings/${part}`, settings);
  const save = useMutation({
    mutationFn: async () => {
      const { version } = settings;
      return api.me.settings.update(draft.changes as SettingsUpdate, { ifMatch: version });
    },
    onSuccess: ({ data }) => {
      client.setQueryData<ConsoleSetup>(key, (before) => before && { ...before, settings: data });
      draft.discard();
      toast(t.saved);
      // Other parts of the console show these names and units, and the missing parts of the store.
      for (const queryKey of [key, ['session'], ['overview']]) {
        void client.invalidateQueries({ queryKey });
      }
    },
    onError: (error) => {
      const isOvertaken = error instanceof ApiError && error.code === 'rest_conflict';
      if (isOvertaken) void client.invalidateQueries({ queryKey: key });
    },
  });
  return { draft, form: { draft, save, onSave: () => save.mutate() } };
}
