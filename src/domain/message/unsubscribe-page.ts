import { escapeHtml } from '../../lib/html.ts';
import type { Language } from '../../schema/lists.ts';

interface Words {
  readonly title: string;
  readonly question: string;
  readonly button: string;
  readonly done: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Unsubscribe',
    question: 'Stop reminders and news to this address?',
    button: 'Unsubscribe',
    done: 'You have been unsubscribed. You will still get messages about your orders.',
  },
  id: {
    title: 'Berhenti berlangganan',
    question: 'Tidak ingin menerima pengingat dan kabar lagi di alamat ini?',
    button: 'Berhenti berlangganan',
    done: 'Anda sudah berhenti berlangganan. Pesan tentang pesanan Anda tetap dikirim.',
  },
};

export const unsubscribePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Unsubscribes by a button, because programs that check mail follow links. */
export function unsubscribePage(store: string, language: Language, done: boolean): string {
  const { title, question, button, done: thanks } = words[language];
  const body = done
    ? `<p>${thanks}</p>`
    : `<p>${question}</p><form method="post"><button>${button}</button></form>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(store)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 30rem; margin: 15vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.25rem; }
button { font: inherit; padding: 0.6rem 1.25rem; border: 0; border-radius: 0.4rem; background: #1a56db; color: #fff; cursor: pointer; }
</style>
</head>
<body>
<h1>${escapeHtml(store)}</h1>
${body}
</body>
</html>
`;
}
