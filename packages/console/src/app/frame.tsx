import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { forgetCalls } from '../api/calls.ts';
import { Boundary } from '../parts/error-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { useTexts } from '../texts/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { DevelopersProvider } from '../context/developers.ts';
import { type Screen, screenAt, screens } from './screens.ts';
import { useMay, useStore } from '../context/session.ts';
import { useGoKeys } from './go-keys.ts';
import { texts } from './texts.ts';
import { Waiting } from './waiting.tsx';

const AsApi = lazy(() => import('../parts/as-api.tsx'));
const NotFound = lazy(() => import('./not-found.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const Shortcuts = lazy(() => import('./shortcuts.tsx'));
const Sessions = lazy(() => import('./sessions.tsx'));

export function Frame() {
  const t = useTexts(texts);
  const { name } = useStore();
  const [path] = useLocation();
  const [palette, setPalette] = useState(false);
  const [shortcuts, setShortcuts] = useState(false);
  const [nav, setNav] = useState(false);
  const main = useRef<HTMLElement>(null);
  const allowed = useAllowed();
  const seesDevelopers = allowed.some(({ group }) => group === 'developers');
  useGoKeys(allowed, { onPalette: () => setPalette(true), onHelp: () => setShortcuts(true) });
  useNewScreen(path, main, () => setNav(false));
  return (
    <div className="frame" data-nav={nav ? 'open' : undefined}>
      <a className="skip" href="#main">
        {t.skip}
      </a>
      <header className="bar">
        <button
          type="button"
          className="icon-button nav-button"
          aria-label={t.menu.open}
          aria-expanded={nav}
          aria-controls="nav"
          onClick={() => setNav(!nav)}
        >
          <Icon name="menu" />
        </button>
        <Link href="/" className="brand">
          {name || t.console}
        </Link>
        <button type="button" className="finder" onClick={() => setPalette(true)}>
          <Icon name="search" />
          <span>{t.search}</span>
          <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <AccountMenu onShortcuts={() => setShortcuts(true)} />
      </header>
      <Navigation path={path} allowed={allowed} />
      <main className="main" id="main" ref={main} tabIndex={-1}>
        <Boundary key={screenAt(path)?.path ?? path}>
          <Suspense fallback={<Waiting path={path} />}>
            <DevelopersProvider value={seesDevelopers}>
              <Shown path={path} />
            </DevelopersProvider>
          </Suspense>
        </Boundary>
        {seesDevelopers && (
          <footer className="foot">
            <Suspense>
              <AsApi />
            </Suspense>
          </footer>
        )}
      </main>
      <Suspense>
        {palette && <Palette onClose={() => setPalette(false)} screens={allowed} />}
        {shortcuts && <Shortcuts onClose={() => setShortcuts(false)} screens={allowed} />}
      </Suspense>
    </div>
  );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

function useAllowed(): readonly Screen[] {
  const may = useMay();
  return screens.filter(({ needs }) => needs === undefined || may(needs));
}

interface Place {
  readonly path: string;
  readonly allowed: readonly Screen[];
}

function Navigation({ path, allowed }: Place) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const current = screenAt(path)?.path;
  const groups = Map.groupBy(allowed, ({ group }) => group);
  return (
    <nav className="nav" id="nav" aria-label={t.console}>
      {[...groups].map(([group, members]) => (
        <div className="nav-group" key={group ?? 'first'}>
          {group && <p className="nav-title">{t.groups[group]}</p>}
          {members.map(({ name, path: to }) => (
            <Link
              key={to}
              href={to}
              aria-current={to === current ? 'page' : undefined}
              onClick={() => void (to === current && client.invalidateQueries())}
            >
              <Icon name={name} />
              {t.nav[name]}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

function Shown({ path }: Pick<Place, 'path'>) {
  if (path === '/sessions') return <Sessions />;
  const screen = screenAt(path);
  if (!screen) return <NotFound />;
  return (
    <OnlyFor needs={screen.needs}>
      <screen.View />
    </OnlyFor>
  );
}

/** Starts a new screen: its calls begin anew, the page takes its title, and the focus moves to its beginning. */
function useNewScreen(
  path: string,
  main: React.RefObject<HTMLElement | null>,
  onChange: () => void,
): void {
  const t = useTexts(texts);
  const { name: store } = useStore();
  const screen = screenAt(path);
  const title = screen ? t.nav[screen.name] : t.console;
  const [last, setLast] = useState(screen?.path ?? path);
  useEffect(() => {
    document.title = [title, store].filter(Boolean).join(' · ');
  }, [title, store]);
  useEffect(() => {
    const now = screen?.path ?? path;
    if (now === last) return;
    setLast(now);
    forgetCalls();
    onChange();
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [screen, path, last, onChange, main]);
}
