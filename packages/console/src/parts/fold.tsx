import { type ReactNode, useState } from 'react';

interface FoldProps {
  readonly title: string;
  /** A summary of its content while it is closed. */
  readonly state: ReactNode;
  /** True if it is open at first. */
  readonly open: boolean;
  readonly children: ReactNode;
}

/** A part of a form that many records don't need; a click opens it. */
export function Fold({ title, state, open, children }: FoldProps) {
  const [isOpen] = useState(open);
  return (
    <details className="fold card" open={isOpen}>
      <summary>
        <h2>{title}</h2>
        <span className="faint">{state}</span>
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  );
}
