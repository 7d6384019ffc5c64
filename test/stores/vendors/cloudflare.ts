import { randomUUID } from 'node:crypto';
import { type RunningWorker, runWorker } from '../../../src/local/worker/index.ts';
import { isTaken } from '../../../src/cli/port.ts';
import { type Answer, type Asked, type VendorServer, serve } from './http.ts';

interface Binding {
  readonly name: string;
  readonly type: string;
  readonly text?: string;
}

interface Version {
  readonly id: string;
  readonly created_on: string;
  readonly script: string;
  readonly bindings: readonly Binding[];
}

/** A worker with its versions; the last deployed one answers. */
interface Script {
  readonly versions: Version[];
  readonly deployed: string[];
  running: RunningWorker | undefined;
}

const missing = (code: number, message: string): Answer => ({
  status: 404,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});

/** Wrangler prints the message, and doesn't repeat the call. */
const refusalOf = ({ message }: Error): Answer => ({
  status: 400,
  body: { success: false, errors: [{ code: 10_013, message }], messages: [], result: null },
});

const takenText = (port: number) =>
  `Port ${port} of the store's address is taken by another process. Free it, then run the same command again.`;

const said = (result: unknown): Answer => ({
  body: { success: true, errors: [], messages: [], result },
});

/**
 * Cloudflare's API as wrangler uses it, written from its documents. Uploaded workers run in workerd at their BASE_URL.
 */
export class FakeCloudflare {
  readonly scripts = new Map<string, Script>();
  readonly objects = new Map<string, Buffer>();
  /** Answers a request about an object instead of the bucket; undefined leaves it to the bucket. */
  onObject: (method: string, name: string) => Answer | undefined = () => undefined;
  /** The number of objects in a page of a list. */
  objectsAPage = 1000;
  /** Answers every request instead of the API. */
  fault: Answer | undefined;
  /** Requests for unknown addresses. */
  readonly unknown: string[] = [];
  /** Changes uploaded scripts, for example to break them. */
  onUpload: (name: string, script: string) => string = (_, script) => script;
  /** Hears of a version that was deployed, before wrangler does. */
  onDeployed: (name: string) => void = () => undefined;
  /** The folder of a worker's static files; without one they are not served. */
  assetsOf: (name: string) => string | undefined = () => undefined;
  readonly #neonUrl: string;
  #http: VendorServer | undefined;

  constructor(neonUrl: string) {
    this.#neonUrl = neonUrl;
  }

  async open(): Promise<void> {
    this.#http = await serve(async (asked) => this.fault ?? this.#answer(asked).catch(refusalOf));
  }

  get url(): string {
    return this.#http?.url ?? '';
  }

  async close(): Promise<void> {
    for (const { running } of this.scripts.values()) await running?.dispose();
    await this.#http?.close();
  }

  secrets(name: string): Record<string, string> {
    const script = this.scripts.get(name);
    const version = script?.versions.find(({ id }) => id === script.deployed.at(-1));
    const secrets = version?.bindings.filter(({ type }) => type === 'secret_text') ?? [];
    return Object.fromEntries(secrets.map((one) => [one.name, one.text ?? '']));
  }

  /** Makes a worker that has these secrets and does not run. */
  setUp(name: string, secrets: readonly string[]): void {
    const bindings = secrets.map((one) => ({ name: one, type: 'secret_text', text: 'value' }));
    const version = {
      id: randomUUID(),
      created_on: new Date().toISOString(),
      script: '',
      bindings,
    };
    this.scripts.set(name, { versions: [version], deployed: [version.id], running: undefined });
  }

  /** Sets secrets, or removes those that are null, in a version that runs at once. */
  async changeSecrets(name: string, changes: Readonly<Record<string, string | null>>) {
    const script = this.scripts.get(name);
    const newest = script?.versions.at(-1);
    if (!script || !newest) throw new Error(`There is no worker ${name}.`);
    const added = Object.entries(changes).flatMap(([secret, text]) =>
      text === null ? [] : [{ name: secret, type: 'secret_text', text }],
    );
    const bindings = newest.bindings.filter((one) => !(one.name in changes)).concat(added);
    const version = { ...newest, id: randomUUID(), bindings };
    script.versions.push(version);
    await this.#run(name, script, version);
  }

  async #deleteSecret(name: string, secret: string): Promise<Answer> {
    if (!(secret in this.secrets(name))) return missing(10_056, `Binding '${secret}' not found.`);
    await this.changeSecrets(name, { [secret]: null });
    return said(null);
  }

  async #answer(asked: Asked): Promise<Answer> {
    const { method, path } = asked;
    const [, object = ''] =
      /^\/accounts\/[0-9a-f]{32}\/r2\/buckets\/(.+\/objects\/.+)$/.exec(path) ?? [];
    if (object !== '') return this.onObject(method, object) ?? this.#object(object, asked);
    const [, listed = ''] = /\/r2\/buckets\/([^/]+)\/objects$/.exec(path) ?? [];
    if (listed !== '') return this.#list(`${listed}/objects/`, asked.query.get('cursor') ?? '');
    const [, kind = '', name = '', rest = ''] =
      /^\/accounts\/[0-9a-f]{32}\/workers\/(services|scripts|workers)\/([^/]+)(.*)$/.exec(path) ??
      [];
    const script = this.scripts.get(name);
    const call = `${method} ${kind}${rest.replace(/[0-9a-f-]{36}/, ':id')}`;
    if (call === 'PUT scripts') return said(await this.#upload(name, asked));
    if (call === 'POST scripts/versions') return said(await this.#addVersion(name, asked));
    if (call === 'POST scripts/assets-upload-session') return said({ jwt: 'a.b.c', buckets: [] });
    if (path.endsWith('/storage/kv/namespaces')) return said([]);
    if (/\/r2\/buckets(\/[^/]+)?$/.test(path)) return said({ name: path.split('/').at(-1) });
    if (!script) return missing(10_007, 'This Worker does not exist on your account.');
    switch (call) {
      case 'GET services':
        return said(serviceOf(name));
      case 'GET workers':
        return said({ id: name, name, subdomain: { enabled: false, previews_enabled: false } });
      case 'GET scripts/secrets':
        return said(
          Object.keys(this.secrets(name)).map((one) => ({ name: one, type: 'secret_text' })),
        );
      case 'GET scripts/settings':
      case 'GET services/environments/production/settings':
        return said({ bindings: [], tags: [] });
      case 'GET scripts/deployments':
        return said({ deployments: deploymentsOf(script) });
      case 'POST scripts/deployments':
        return said(await this.#deploy(name, script, asked.body.toString()));
      case 'GET scripts/versions/:id':
        return said(versionOf(rest.split('/').at(-1) ?? '', script));
      case 'POST scripts/subdomain':
      case 'PUT scripts/schedules':
      case 'PATCH scripts/script-settings':
        return said({ schedules: [] });
      case 'DELETE services':
      case 'DELETE scripts':
        await script.running?.dispose();
        this.scripts.delete(name);
        return said(null);
      default:
        if (method === 'DELETE' && rest.startsWith('/secrets/'))
          return this.#deleteSecret(name, decodeURIComponent(rest.slice('/secrets/'.length)));
        this.unknown.push(`${method} ${path}`);
        return missing(7003, `Could not route to ${path}`);
    }
  }

  #object(name: string, { method, headers, body }: Asked): Answer {
    if (method === 'PUT' && headers['content-length'] !== String(body.length))
      return { status: 411, body: {} };
    if (method === 'PUT') this.objects.set(name, body);
    const found = this.objects.get(name);
    return found ? { body: found } : missing(10_007, 'The specified key does not exist.');
  }

  /** A page of a bucket's objects, after the key of a cursor. */
  #list(bucket: string, cursor: string): Answer {
    const rest = [...this.objects]
      .filter(([name]) => name.startsWith(bucket) && name.slice(bucket.length) > cursor)
      .map(([name, bytes]) => ({ key: name.slice(bucket.length), size: bytes.length }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
    const result = rest.slice(0, this.objectsAPage);
    const is_truncated = rest.length > result.length;
    const result_info = { is_truncated, ...(is_truncated && { cursor: result.at(-1)?.key }) };
    return { body: { success: true, errors: [], messages: [], result, result_info } };
  }

  /** Uploads a worker; its first version answers at once. */
  async #upload(name: string, asked: Asked): Promise<object> {
    const version = await this.#addVersion(name, asked);
    const script = this.scripts.get(name);
    const made = script?.versions.at(-1);
    if (script && made) await this.#run(name, script, made);
    return { ...version, id: name, deployment_id: version.id.replaceAll('-', '') };
  }

  async #addVersion(name: string, { headers, body }: Asked) {
    const type = { 'content-type': headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(body), { headers: type }).formData();
    const metadata = JSON.parse(await textOf(form.get('metadata'))) as {
      main_module: string;
      bindings: Binding[];
      keep_bindings?: string[];
    };
    const module = form.get(metadata.main_module);
    const script = this.scripts.get(name) ?? { versions: [], deployed: [], running: undefined };
    const given = new Set(metadata.bindings.map((one) => one.name));
    const before = script.versions.at(-1)?.bindings ?? [];
    const kept = before.filter(
      (one) => metadata.keep_bindings?.includes(one.type) && !given.has(one.name),
    );
    const version = {
      id: randomUUID(),
      created_on: new Date().toISOString(),
      script: this.onUpload(name, await textOf(module)),
      bindings: [...metadata.bindings.map((one) => inherited(one, before)), ...kept],
    };
    script.versions.push(version);
    this.scripts.set(name, script);
    return { ...versionOf(version.id, script), startup_time_ms: 9 };
  }

  async #deploy(name: string, script: Script, body: string): Promise<object> {
    const { versions } = JSON.parse(body) as { versions: { version_id: string }[] };
    const version = script.versions.find(({ id }) => id === versions[0]?.version_id);
    if (!version) throw new Error('There is no such version.');
    await this.#run(name, script, version);
    return { id: randomUUID() };
  }

  async #run(name: string, script: Script, version: Version): Promise<void> {
    script.deployed.push(version.id);
    this.onDeployed(name);
    const texts = version.bindings.filter(({ text }) => text !== undefined);
    const bindings = Object.fromEntries(texts.map(({ name, text = '' }) => [name, text]));
    const changes = { script: version.script, bindings };
    if (script.running) return script.running.reload(changes);
    const directory = this.assetsOf(name);
    const port = Number(new URL(bindings['BASE_URL'] ?? '').port);
    if (await isTaken(port)) throw new Error(takenText(port));
    script.running = await runWorker({
      ...changes,
      ...(directory && { assets: { directory }, env: { ASSETS: { type: 'assets' } } }),
      port,
      neonUrl: this.#neonUrl,
      compatibilityDate: '2026-10-20',
      scheduler: true,
      log: () => {},
    });
  }
}

/** A binding, or the previous version's if it is inherited. @throws Error as with `bindings_inherit=strict` */
function inherited(binding: Binding, before: readonly Binding[]): Binding {
  if (binding.type !== 'inherit') return binding;
  const found = before.find(({ name }) => name === binding.name);
  if (!found) throw new Error(`inherit binding '${binding.name}' is invalid`);
  return found;
}

const textOf = async (part: Blob | string | null): Promise<string> =>
  part instanceof Blob ? part.text() : (part ?? '');

const serviceOf = (name: string) => ({
  id: name,
  default_environment: {
    environment: 'production',
    script: { id: name, last_deployed_from: 'wrangler', migration_tag: 'v1', tag: name },
  },
});

/** Newest first, as in the API. */
const deploymentsOf = ({ deployed, versions }: Script) =>
  deployed
    .map((version_id, i) => ({
      id: `deployment-${i}`,
      source: 'wrangler',
      author_email: 'a@b.example',
      created_on: new Date(Date.parse(versions[0]?.created_on ?? '') + i * 1000).toISOString(),
      versions: [{ version_id, percentage: 100 }],
    }))
    .toReversed();

const versionOf = (id: string, { versions }: Script) => ({
  id,
  number: versions.findIndex((version) => version.id === id) + 1,
  metadata: {
    created_on: versions.find((version) => version.id === id)?.created_on,
    author_email: 'a@b.example',
    source: 'wrangler',
  },
  annotations: {},
  resources: {
    bindings: [],
    script: { etag: id, handlers: [], named_handlers: [] },
    script_runtime: {},
  },
});
