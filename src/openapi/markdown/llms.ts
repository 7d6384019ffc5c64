import type { Document } from '../reading.ts';
import type { Page } from './pages.ts';

/**
 * `/llms.txt` (llmstxt.org): the contents of the documentation for language models.
 * @param pages the reference
 * @param guides further pages
 */
export function llmsText(
  document: Document,
  pages: readonly Page[],
  guides: readonly Page[],
): string {
  const base = document.servers[0]?.url ?? '';
  const link = ({ path, title, description }: Omit<Page, 'text'>) =>
    `- [${title}](${base}${path}): ${description}`;
  const [overview, ...reference] = pages;
  const [introduction = ''] = document.info.description.trim().split('\n\n');
  const openapi = {
    path: '/openapi.json',
    title: 'OpenAPI document',
    description: 'The same for programs: every operation, schema and error.',
  };
  return `# ${document.info.title}

> ${introduction.replaceAll('\n', ' ')}

Read the overview first; then the page of the resource you need. Each stands for itself.

## Start

${[...(overview ? [overview] : []), openapi].map(link).join('\n')}

## Guides

${guides.map(link).join('\n')}

## Reference

${reference.map(link).join('\n')}
`;
}
