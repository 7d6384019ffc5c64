import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'wait' | 'active' | 'good' | 'bad';

/** A state as a badge, whose colour repeats its meaning. */
export const Status = ({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) => <span className={`status ${tone}`}>{children}</span>;
