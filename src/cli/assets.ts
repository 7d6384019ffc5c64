import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readPublishedConfig } from '../config.ts';
import { endpointsOf } from '../endpoints.ts';
import { callsOf } from '../../packages/client/build/operations.ts';
import { mcp } from '../modules/mcp/index.ts';
import { shop } from '../modules/shop/index.ts';
import { toolsPath } from '../modules/mcp/tools.ts';
import { openApiDocument } from '../openapi/document.ts';
import { llmsText } from '../openapi/markdown/llms.ts';
import { pagesOf } from '../openapi/markdown/pages.ts';
import type { Document } from '../openapi/reading.ts';
import { toolsOf } from '../openapi/tools.ts';
import { inOpenApi30 } from '../openapi/openapi-30.ts';
import { consoleHeaders } from '../kernel/endpoint/console-headers.ts';
import { docsHeaders } from '../kernel/endpoint/docs-headers.ts';
import { docsSite, guideTexts } from './docs/site.ts';

const viewerFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const viewer = (file: string) => join(viewerFolder, file);
const consoleBuild = fileURLToPath(new URL('../../packages/console/build.ts', import.meta.url));
const ours = (file: string) => fileURLToPath(new URL(`docs/browser/${file}`, import.meta.url));
const ofShop = (file: string) => fileURLToPath(new URL(`shop/${file}`, import.meta.url));
const shared = (file: string) =>
  fileURLToPath(new URL(`../../packages/console/src/styles/${file}`, import.meta.url));

/** Files that the documentation's pages load. */
const loaded = {
  'swagger-ui-bundle.js': viewer('swagger-ui-bundle.js'),
  'swagger-ui.css': viewer('swagger-ui.css'),
  'favicon.png': viewer('favicon-32x32.png'),
  'try.js': ours('try.js'),
  'docs.js': ours('docs.js'),
  'search.js': ours('search.js'),
};

/** Stylesheets, each joined from several files: those shared with the console first. */
const styles = {
  'docs.css': [...['tokens.css', 'base.css', 'controls.css'].map(shared), ours('docs.css')],
  'try.css': [shared('tokens.css'), ours('try.css')],
};

const shopFiles = {
  'shop.css': [...['tokens.css', 'base.css'].map(shared), ofShop('shop.css')],
  'shop.js': [ofShop('shop.js')],
  'embed.js': [ofShop('embed.js')],
};

/**
 * Headers for assets, which bypass the worker: the headers that the worker adds to every answer.
 */
const headers = `/*
  X-Content-Type-Options: nosniff
  X-Frame-Options: DENY
  Referrer-Policy: no-referrer
  Strict-Transport-Security: max-age=31536000; includeSubDomains
  Cross-Origin-Resource-Policy: same-origin
  Content-Security-Policy: ${docsHeaders['content-security-policy']}

# Editors on other sites may load the document.
/openapi.json
  Access-Control-Allow-Origin: *
/openapi-3.0.json
  Access-Control-Allow-Origin: *

# Other sites load it to open the checkout.
/shop/embed.js
  ! Cross-Origin-Resource-Policy
  Cross-Origin-Resource-Policy: cross-origin

# Replaces the headers of all addresses.
/console/*
${Object.entries(consoleHeaders)
  .map(([name, value]) => `  ! ${name}\n  ${name}: ${value}`)
  .join('\n')}
/console/assets/*
  ! cache-control
  cache-control: public, max-age=31536000, immutable
`;

type Vars = Readonly<Record<string, unknown>>;

/** The published texts of a deployment, by path. */
export function publishedTexts(vars: Vars): Record<string, string> {
  const config = readPublishedConfig(vars);
  const openapi = openApiDocument(config);
  const text = JSON.stringify(openapi);
  const document = JSON.parse(text) as Document;
  const endpoints = endpointsOf(config);
  const pages = pagesOf(document, callsOf(endpoints));
  const guides = guideTexts();
  return {
    '/openapi.json': text,
    '/openapi-3.0.json': JSON.stringify(inOpenApi30(openapi)),
    '/llms.txt': llmsText(document, pages, guides),
    ...Object.fromEntries([...guides, ...pages].map((page) => [page.path, page.text])),
    ...(config.MODULES.includes(mcp.key) && {
      [toolsPath]: JSON.stringify(toolsOf(endpoints, document)),
    }),
  };
}

/** Writes the static assets of a deployment into a folder. */
export async function buildAssets(vars: Vars, folder: string): Promise<void> {
  const published = publishedTexts(vars);
  const document = JSON.parse(published['/openapi.json'] ?? '') as Document;
  const pages = docsSite(readPublishedConfig(vars), document, published);
  for (const [path, text] of [...Object.entries(published), ...pages]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const [name, source] of Object.entries(loaded)) {
    await copyFile(source, join(folder, 'docs', name));
  }
  await writeJoined(join(folder, 'docs'), styles);
  if (readPublishedConfig(vars).MODULES.includes(shop.key))
    await writeJoined(join(folder, 'shop'), shopFiles);
  // Browsers request it whatever a page says.
  await copyFile(loaded['favicon.png'], join(folder, 'favicon.ico'));
  await promisify(execFile)(process.execPath, [consoleBuild, join(folder, 'console')]);
  await writeFile(join(folder, '_headers'), headers);
}

async function writeJoined(folder: string, files: Readonly<Record<string, string[]>>) {
  await mkdir(folder, { recursive: true });
  for (const [name, sources] of Object.entries(files)) {
    const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')));
    await writeFile(join(folder, name), texts.join('\n'));
  }
}

/**
 * Builds the assets in a new process, so that changed sources are loaded.
 * @throws Error with the output of that process
 */
export async function rebuildAssets(vars: Vars, folder: string): Promise<void> {
  const script = fileURLToPath(import.meta.url);
  await promisify(execFile)(process.execPath, [script, JSON.stringify(vars), folder]);
}

if (import.meta.main) {
  const [vars = '{}', folder = ''] = process.argv.slice(2);
  await buildAssets(JSON.parse(vars), folder);
}
