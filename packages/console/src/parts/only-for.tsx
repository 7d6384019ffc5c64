import { type ReactNode, lazy } from 'react';
import { type Permission, useMay } from '../context/session.ts';

const NotAllowed = lazy(() => import('./not-allowed.tsx'));

interface OnlyForProps {
  /** Undefined is for everybody. */
  readonly needs: Permission | undefined;
  readonly children: ReactNode;
}

/** A screen, or a part of one, for people with a permission; others read which one is missing. */
export function OnlyFor({ needs, children }: OnlyForProps) {
  const may = useMay();
  return needs === undefined || may(needs) ? children : <NotAllowed needs={needs} />;
}
