import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ListState } from '../lib/address.ts';
import { common } from '../texts/common.ts';
import { useLocale, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';

interface PagerProps {
  readonly state: ListState;
  readonly next: string | null | undefined;
  readonly total?: number | null | undefined;
}

/**
 * Moves along a list by its cursors. If a page was opened by its address, only the first page
 * before it is known.
 */
export function Pager({ state, next, total }: PagerProps) {
  const t = useTexts(common).pages;
  const locale = useLocale();
  const [path, navigate] = useLocation();
  const { cursor = '', ...filters } = state.values;
  const filter = JSON.stringify(filters);
  const [trail, setTrail] = useState<readonly string[]>([]);
  useEffect(() => setTrail([]), [filter]);
  const go = (to: string) => navigate(path + state.query({ cursor: to }));
  if (cursor === '' && !next && total === undefined) return null;
  return (
    <nav className="pager" aria-label={t.label}>
      {total !== undefined && total !== null && (
        <span className="faint">{t.total(total.toLocaleString(locale))}</span>
      )}
      <Button
        disabled={cursor === ''}
        onClick={() => {
          setTrail(trail.slice(0, -1));
          go(trail.at(-1) ?? '');
        }}
      >
        {t.newer}
      </Button>
      <Button
        disabled={!next}
        onClick={() => {
          setTrail([...trail, cursor]);
          go(next ?? '');
        }}
      >
        {t.older}
      </Button>
    </nav>
  );
}
