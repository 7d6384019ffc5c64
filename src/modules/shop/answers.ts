import type { Answer } from '../../kernel/command/decision.ts';
import type { ApiError } from '../../kernel/errors/errors.ts';
import type { Language } from '../../schema/lists.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { StoreView } from './view/store.ts';

export interface PageRequest {
  readonly url: string;
  header(name: string): string | undefined;
}

interface PageOptions {
  readonly status?: number;
  /** The error that the page explains. */
  readonly code?: string;
  /** The page's policy allows these addresses. */
  readonly images?: readonly string[];
  /** True if the store's sites may show the page in a frame. */
  readonly isFramed?: boolean;
}

/** Answers in the reader's language. */
export async function pageAnswer(
  [settings]: readonly SettingsRow[],
  request: PageRequest,
  render: (store: StoreView) => string,
  { status = 200, code, images = [], isFramed = false }: PageOptions = {},
): Promise<Answer> {
  if (!settings) throw new Error('The store has no settings.');
  const { storeView } = await import('./view/store.ts');
  const language = languageOf(request.header('accept-language'), settings.language);
  const text = render(storeView(settings, language));
  const origins = originsOf([settings.shop_logo_url, ...images]);
  const sites = isFramed ? settings.shop_frame_sites : [];
  return { status, text, ...(code && { code }), headers: headersOf(origins, sites) };
}

export async function missingPage(settings: readonly SettingsRow[], request: PageRequest) {
  const { messagePage } = await import('./view/message.tsx');
  return pageAnswer(settings, request, (store) => messagePage(store, store.texts.missing), {
    status: 404,
    code: 'rest_not_found',
  });
}

/** Does without the database. */
export async function errorPage(error: ApiError, accepted: string): Promise<Answer> {
  const isBusy = error.status === 429 || error.status >= 500;
  return plainPage(accepted, isBusy ? 'busy' : 'refused', error);
}

type MessageName = 'busy' | 'missing' | 'refused' | 'mailed' | 'noMail' | 'tooMany';

/** @param settings list the sites that may show the page in a frame */
export const messageAnswer = (
  request: PageRequest,
  name: MessageName,
  status: number,
  [settings]: readonly SettingsRow[] = [],
) =>
  plainPage(
    request.header('accept-language') ?? '',
    name,
    { status, code: 'rest_invalid_param' },
    settings?.shop_frame_sites,
  );

async function plainPage(
  accepted: string,
  name: MessageName,
  { status, code }: Pick<ApiError, 'status' | 'code'>,
  frameSites: readonly string[] = [],
): Promise<Answer> {
  const { plainView } = await import('./view/store.ts');
  const { messagePage } = await import('./view/message.tsx');
  const view = plainView(languageOf(accepted, 'en'));
  const text = messagePage(view, view.texts[name]);
  return { status, text, code, headers: headersOf([], frameSites) };
}

const languageNames: Readonly<Record<string, Language>> = { en: 'en', id: 'id', in: 'id' };

/** The reader's first language that the pages have. */
export function languageOf(accepted: string | undefined, usual: Language): Language {
  const named = (accepted ?? '').split(',').map((range) => languageNames[range.trim().slice(0, 2)]);
  return named.find(Boolean) ?? usual;
}

/** The origins of absolute addresses. Paths have the page's own. */
const originsOf = (addresses: readonly string[]): string[] => [
  ...new Set(
    addresses.flatMap((address) => (/^https?:\/\//.test(address) ? [new URL(address).origin] : [])),
  ),
];

const headersOf = (imageOrigins: readonly string[], frameSites: readonly string[]) => ({
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self'", ...imageOrigins].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameSites.length === 0 ? "'none'" : frameSites.join(' ')}`,
    "require-trusted-types-for 'script'",
    'trusted-types shop',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'Accept-Language',
});
