import { useTexts } from '../texts/texts.ts';
import { screenAt } from './screens.ts';
import { texts } from './texts.ts';

/**
 * A screen whose code or data is loading: its heading is there at once.
 * @param path after `/console`
 */
export function Waiting({ path }: { readonly path: string }) {
  const { nav } = useTexts(texts);
  const screen = screenAt(path);
  return (
    <div aria-busy="true">
      {screen ? (
        <header className="page-head">
          <h1>{nav[screen.name]}</h1>
        </header>
      ) : (
        <div className="skeleton skeleton-title" />
      )}
      <div className="skeleton skeleton-block" />
    </div>
  );
}
