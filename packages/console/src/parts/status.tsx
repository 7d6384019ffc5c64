import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'wait' | 'active' | 'good' | 'bad';

/** A state in a word; its colour says the same once more. */
export const Status = ({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) => <span className={`status ${tone}`}>{children}</span>;
