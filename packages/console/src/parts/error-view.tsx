import { Component, type ReactNode } from 'react';
import { ApiError, ConnectionError } from '../../../client/src/errors.ts';
import { takesNewSignIn } from '../api/refusals.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

interface ErrorViewProps {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** Shows an error: its message, its code, and the request's id, which the logs have. */
export function ErrorView({ error, onRetry }: ErrorViewProps) {
  const t = useTexts(common);
  const said = useSentence(error);
  // The dialog for signing in again already explains this error.
  if (error instanceof ApiError && takesNewSignIn(error)) return null;
  return (
    <div className="error" role="alert">
      <h2>{t.failed.title}</h2>
      <p>{said}</p>
      {error instanceof ApiError && (
        <dl className="error-facts">
          <dt>{t.failed.code}</dt>
          <dd>
            <code>{error.code}</code>
          </dd>
          {error.requestId !== undefined && (
            <>
              <dt>{t.failed.requestId}</dt>
              <dd>
                <code>{error.requestId}</code>
                <CopyButton text={error.requestId} label={t.failed.requestId} />
              </dd>
            </>
          )}
        </dl>
      )}
      {onRetry && <Button onClick={onRetry}>{t.actions.retry}</Button>}
    </div>
  );
}

/** Explains an error to people in a sentence. */
export function useSentence(error: Error | null): string {
  const { failed } = useTexts(common);
  if (!error) return '';
  if (error instanceof ApiError) {
    return [error.message, ...Object.entries(error.params).map((pair) => pair.join(' '))].join(' ');
  }
  if (error instanceof ConnectionError) return failed.offline;
  return error.name === 'UnexpectedAnswerError' ? failed.unexpected : failed.broken;
}

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Keeps the frame if a screen fails or can't be loaded, for example because of a newer release. */
export class Boundary extends Component<BoundaryProps, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <Broken error={error} /> : this.props.children;
  }
}

function Broken({ error }: { readonly error: Error }) {
  const { failed } = useTexts(common);
  return (
    <>
      <ErrorView error={error} />
      <Button onClick={() => location.reload()}>{failed.reload}</Button>
    </>
  );
}
