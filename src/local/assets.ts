import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the worker's static assets are collected; wrangler.toml names it too. */
export const assetsFolder = fileURLToPath(new URL('../../dist/assets', import.meta.url));

const viewerFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const viewer = (file: string) => join(viewerFolder, file);
const ours = (file: string) =>
  fileURLToPath(new URL(`../resources/platform/docs/${file}`, import.meta.url));

/** What the page /docs loads: the viewer, and what is ours of the page. */
const docs = {
  'swagger-ui-bundle.js': viewer('swagger-ui-bundle.js'),
  'swagger-ui.css': viewer('swagger-ui.css'),
  'favicon.png': viewer('favicon-32x32.png'),
  'page.js': ours('page.js'),
  'page.css': ours('page.css'),
};

/** Assets don't pass through the worker: what it sends with every answer is said here for them. */
const headers = `/*
  X-Content-Type-Options: nosniff
  Cross-Origin-Resource-Policy: same-origin
`;

/** Collects the worker's static assets in a folder. */
export async function buildAssets(folder = assetsFolder): Promise<void> {
  await mkdir(join(folder, 'docs'), { recursive: true });
  for (const [name, source] of Object.entries(docs)) {
    await copyFile(source, join(folder, 'docs', name));
  }
  await writeFile(join(folder, '_headers'), headers);
}

if (import.meta.main) {
  await buildAssets();
  console.log('The static assets are in dist/assets.');
}
