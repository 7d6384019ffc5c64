import { once } from 'node:events';
import { cp, mkdtemp } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { type Browser, type Page, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { buildAssets } from '../../../src/cli/assets.ts';
import { ConsoleLinks } from '../../../src/cli/console-links.ts';
import { fillStore } from '../../../src/cli/demo/store.ts';
import { type RunningWorker, runWorker } from '../../../src/local/worker/index.ts';
import { freePort } from '../../harness/ports.ts';
import { builtWorker } from '../../harness/built-worker.ts';
import { type Store, openStore } from '../../harness/store.ts';
import { watch } from './watch.ts';

const hasBrowser = inject('chromium') !== undefined;

/** Tests in a browser; skipped without one, which is printed at the start. */
export const inBrowser = hasBrowser ? describe : describe.skip;

interface Opening {
  /** The e-mail address of the signed-in person: by default the demo's administrator; null for nobody. */
  readonly as?: string | null;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** False for a browser without scripts. */
  readonly scripts?: boolean;
  readonly locale?: string;
  /** Origins that the page may call besides its own. */
  readonly others?: readonly string[];
}

/**
 * Starts additional services for the store, such as a sender.
 * @returns their variables
 */
type Variables = () => Promise<Readonly<Record<string, string>>>;

const administrator = 'ayu.lestari@demo.example';

/** The demo store in workerd, with its console and a browser. */
export class Console {
  readonly store: Store;
  readonly url: string;
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;
  readonly #checks: (() => Promise<void>)[] = [];

  private constructor(store: Store, url: string, browser: Browser, close: () => Promise<void>) {
    this.store = store;
    this.url = url;
    this.#browser = browser;
    this.#close = close;
  }

  static async start(variables: Variables): Promise<Console> {
    const { template, environment, folder, port } = await (demo ??= Demo.make());
    const store = await openStore('new', template);
    Object.assign(await store.environment, environment, await variables());
    const storage = await mkdtemp(join(folder, 'storage-'));
    await cp(join(folder, 'storage'), storage, { recursive: true });
    await port.release();
    const [worker, browser] = await Promise.all([
      serve(store, folder, storage),
      (running ??= launch()),
    ]);
    return new Console(store, port.url, browser, async () => {
      await worker.dispose();
      await port.hold();
      await store.close();
    });
  }

  /** A link as the command line makes it. */
  async link(email = administrator): Promise<string> {
    const { API_KEY_PEPPERS = '' } = await this.store.environment;
    const link = await new ConsoleLinks(this.store.database, API_KEY_PEPPERS).create(
      email,
      this.url,
    );
    if (!link) throw new Error(`${email} may not sign in to the console.`);
    return link;
  }

  /** The e-mail address of a shop manager, who reads everything and changes nothing. */
  async shopManager(): Promise<string> {
    const email = 'gita.putri@demo.example';
    await this.store.database.query(
      `update users set roles = '{shop-manager}', staff_role_id = 5, version = version + 1 where email = $1`,
      [email],
    );
    return email;
  }

  /**
   * A page of the console in a browser context of its own.
   * @param path after `/console`
   */
  async open(path: string, opening: Opening = {}): Promise<Page> {
    const { as = administrator, scheme = 'light', width = 1280, scripts = true } = opening;
    const { locale = 'en-GB' } = opening;
    const context = await this.#browser.newContext({
      locale,
      // Differs from the store's zone: times must be shown in the store's.
      timezoneId: 'America/New_York',
      colorScheme: scheme,
      // Tests need not wait for animations.
      reducedMotion: 'reduce',
      javaScriptEnabled: scripts,
      viewport: { width, height: width < 700 ? 720 : 860 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    // Less than the time of a test, so that the error names the missing element.
    page.setDefaultTimeout(12_000);
    const faults = await watch(page, [this.url, ...(opening.others ?? [])]);
    this.#checks.push(async () => {
      expect(faults).toEqual([]);
      await context.close();
    });
    if (as !== null) await this.#signIn(page, as);
    await page.goto(`${this.url}/console${path}`);
    return page;
  }

  async #signIn(page: Page, email: string): Promise<void> {
    const { rows } = await this.store.database.query<{ id: string }>(
      'select id from users where email = $1',
      [email],
    );
    this.store.clock.set(new Date().toISOString());
    const cookie = await this.store.consoleSession(Number(rows[0]?.id));
    const value = cookie.slice(cookie.indexOf('=') + 1);
    // Browsers refuse the prefix of the cookie without TLS.
    await page
      .context()
      .addCookies([{ name: 'console', value, url: this.url, httpOnly: true, sameSite: 'Strict' }]);
  }

  /** Fails for the errors of the pages opened so far, and closes the pages. */
  async check(): Promise<void> {
    for (const check of this.#checks.splice(0)) await check();
  }

  close = () => this.#close();
}

/** A port that is reserved while it is not in use. */
class Port {
  readonly url: string;
  readonly #port: number;
  #server: Server | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async open(): Promise<Port> {
    const port = new Port(await freePort());
    await port.hold();
    return port;
  }

  async hold(): Promise<void> {
    // A page that was left open would keep the server from closing.
    this.#server = createServer((socket) => socket.destroy()).listen(this.#port, '127.0.0.1');
    this.#server.unref();
    await once(this.#server, 'listening');
  }

  async release(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    await closed;
  }
}

/** The demo store, made once for all consoles of a process. */
class Demo {
  readonly template: string;
  readonly environment: Record<string, string>;
  /** A folder with the worker's data in `storage`, and the console in `assets`. */
  readonly folder: string;
  readonly port: Port;

  private constructor(
    template: string,
    environment: Record<string, string>,
    folder: string,
    port: Port,
  ) {
    this.template = template;
    this.environment = environment;
    this.folder = folder;
    this.port = port;
  }

  static async make(): Promise<Demo> {
    const store = await openStore('usual', 'template_store');
    const port = await Port.open();
    const folder = await mkdtemp(join(inject('folder'), 'console-'));
    const { url } = port;
    const environment = Object.assign(await store.environment, { BASE_URL: url });
    const { MODULES } = environment;
    await buildAssets({ BASE_URL: url, MODULES }, join(folder, 'assets'));
    await builtWorker();
    await port.release();
    const worker = await serve(store, folder, join(folder, 'storage'));
    // workerd uses the machine's clock, so keys must use it, too.
    store.clock.set(new Date().toISOString());
    const { token } = await store.createKey();
    await fillStore({ api_base: `${url}/api/svc/v1`, api_key: token }, store.databaseUrl);
    await worker.dispose();
    await port.hold();
    await store.close();
    return new Demo(new URL(store.databaseUrl).pathname.slice(1), environment, folder, port);
  }
}

let demo: Promise<Demo> | undefined;
/** The browser of this process; pages of different files have different contexts. */
let running: Promise<Browser> | undefined;

/** Runs the worker at the store's BASE_URL. */
async function serve(store: Store, folder: string, storage: string): Promise<RunningWorker> {
  const bindings = await store.environment;
  return runWorker({
    script: await builtWorker(),
    bindings,
    port: Number(new URL(bindings['BASE_URL'] ?? '').port),
    assets: { directory: join(folder, 'assets') },
    env: { ASSETS: { type: 'assets' }, MEDIA: { type: 'r2', name: 'media' } },
    storage,
    neonUrl: store.neon.url,
    devOutbound: true,
    log: () => {},
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  });
}

const launch = () =>
  chromium.launch({
    executablePath: inject('chromium') ?? '',
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });

/** The console of the calling tests; a fault in one of their pages fails them. */
export function useConsole(variables: Variables = async () => ({})): { readonly console: Console } {
  let opened: Console | undefined;
  beforeAll(async () => {
    opened = await Console.start(variables);
  });
  afterEach(() => opened?.check());
  afterAll(() => opened?.close());
  return {
    get console() {
      if (!opened) throw new Error('The console is open while tests run.');
      return opened;
    },
  };
}
