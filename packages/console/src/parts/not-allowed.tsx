import type { Permission } from '../context/session.ts';
import { EmptyState } from './empty-state.tsx';
import { scopeTexts } from '../texts/scopes.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

/** Replaces a screen that the account may not see, and names the missing permission. */
export default function NotAllowed({ needs }: { readonly needs: Permission }) {
  const t = useTexts(common).notAllowed;
  const words = useTexts(scopeTexts);
  const missing =
    needs === 'administrator' ? t.administrator : t.scope(words[needs].replace(/\.$/, ''), needs);
  return <EmptyState title={t.title} text={`${missing} ${t.ask}`} />;
}
