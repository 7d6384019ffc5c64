import type { ReactNode } from 'react';
import { useSeesDevelopers } from '../context/developers.ts';
import { useStore } from '../context/session.ts';
import { type NotedCall, curlOf } from '../api/calls.ts';
import { CodeBox } from './copy-button.tsx';

interface EmptyStateProps {
  /** The name of what is missing. */
  readonly title: string;
  /** The meaning and the use of the list. */
  readonly text: ReactNode;
  /** The first action. */
  readonly children?: ReactNode;
  /** The first action by API, for people who see screens for developers. */
  readonly call?: Omit<NotedCall, 'operation'>;
}

export function EmptyState({ title, text, children, call }: EmptyStateProps) {
  const seesDevelopers = useSeesDevelopers();
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className="empty-actions">{children}</div>}
      {call && seesDevelopers && <Curl call={call} />}
    </div>
  );
}

function Curl({ call }: Required<Pick<EmptyStateProps, 'call'>>) {
  const { api_base } = useStore();
  return <CodeBox text={curlOf(call, api_base)} label="curl" />;
}
