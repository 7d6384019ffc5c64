import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine } from '../parts/menu.tsx';
import { languages, useTexts } from '../texts/texts.ts';
import { forgetDrafts } from '../context/draft.ts';
import { usePreferences } from '../context/preferences.ts';
import { useSession } from '../context/session.ts';
import { texts } from './texts.ts';

export function AccountMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const t = useTexts(texts).menu;
  const { user } = useSession();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return (
    <Menu
      className="account"
      label={t.label(user.display_name)}
      trigger={
        <>
          <Icon name="person" />
          <span className="account-name">{user.display_name}</span>
        </>
      }
    >
      <Looks />
      <MenuLine />
      <MenuItem onSelect={onShortcuts}>{t.shortcuts}</MenuItem>
      <MenuItem onSelect={() => navigate('/sessions')}>{t.sessions}</MenuItem>
      <MenuLine />
      <MenuItem onSelect={signOut}>{t.signOut}</MenuItem>
    </Menu>
  );
}

function Looks() {
  const t = useTexts(texts).menu;
  const { preferences, set } = usePreferences();
  return (
    <>
      <MenuChoice
        label={t.language}
        value={preferences.language ?? 'account'}
        options={[['account', t.asAccount], ...Object.entries(languages)] as const}
        onChange={(value) =>
          set({ language: value === 'en' || value === 'id' ? value : undefined })
        }
      />
      <MenuLine />
      <MenuChoice
        label={t.theme}
        value={preferences.theme ?? 'system'}
        options={[
          ['system', t.system],
          ['light', t.light],
          ['dark', t.dark],
        ]}
        onChange={(value) => set({ theme: value === 'system' ? undefined : value })}
      />
    </>
  );
}

/** Signs out, and removes all data from this page. */
function useSignOut(): () => void {
  const client = useQueryClient();
  return () => {
    const leave = () => {
      forgetDrafts();
      client.clear();
      location.assign('/console/');
    };
    void api.console.session.delete().then(leave, leave);
  };
}
