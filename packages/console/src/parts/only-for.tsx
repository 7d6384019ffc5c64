import { type ReactNode, lazy } from 'react';
import { type Permission, useMay } from '../context/session.ts';

const NotAllowed = lazy(() => import('./not-allowed.tsx'));

interface OnlyForProps {
  /** Undefined means everybody. */
  readonly needs: Permission | undefined;
  readonly children: ReactNode;
}

/** A screen or part for accounts with a permission; others see the missing permission. */
export function OnlyFor({ needs, children }: OnlyForProps) {
  const may = useMay();
  return needs === undefined || may(needs) ? children : <NotAllowed needs={needs} />;
}
