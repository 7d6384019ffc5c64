import { catalogue } from '../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Sign in',
    opening: 'Checking the link…',
    as: (store: string, name: string, role: string) => `Sign in to ${store} as ${name} (${role})`,
    until: (when: string) => `The link works once, ${when}.`,
    button: 'Sign in',
    gone: 'This link no longer works',
    goneText: 'A link works once and for ten minutes. Ask for another one:',
    howText: 'The console has no passwords. You get a sign-in link by e-mail.',
    email: 'E-mail address',
    send: 'Send me a link',
    sent: (email: string) =>
      `If ${email} belongs to somebody of this store’s team, a link is on its way.`,
    sentHint: 'It works once, for ten minutes. Check your spam folder, too.',
    another: 'Use another address',
    noMail: 'No mail, or no mailbox?',
    lostMailbox:
      'Another administrator can send you a link under Team. Whoever runs the service can also make one:',
    noSender:
      'This store sends no e-mails yet: no sender is set up. Whoever runs the service can make a link that works once, for ten minutes:',
    keep: 'After signing in you return to this page.',
    administrator: 'administrator',
  },
  id: {
    title: 'Masuk',
    opening: 'Memeriksa tautan…',
    as: (store: string, name: string, role: string) =>
      `Masuk ke ${store} sebagai ${name} (${role})`,
    until: (when: string) => `Tautan ini berlaku sekali, ${when}.`,
    button: 'Masuk',
    gone: 'Tautan ini tidak berlaku lagi',
    goneText: 'Satu tautan berlaku sekali, selama sepuluh menit. Minta yang baru:',
    howText: 'Konsol ini tanpa kata sandi: tautan untuk masuk dikirim lewat email.',
    email: 'Alamat email',
    send: 'Kirimi saya tautan',
    sent: (email: string) => `Jika ${email} milik anggota tim toko ini, tautan sedang dikirim.`,
    sentHint: 'Berlaku sekali, selama sepuluh menit. Lihat juga folder spam.',
    another: 'Pakai alamat lain',
    noMail: 'Tidak ada email, atau tidak punya kotak masuk?',
    lostMailbox:
      'Administrator lain dapat mengirim tautan di Tim, atau yang menjalankan layanan membuatnya:',
    noSender:
      'Toko ini belum mengirim email: belum ada pengirim. Yang menjalankan layanan membuat tautan yang berlaku sekali, selama sepuluh menit:',
    keep: 'Setelah masuk, Anda kembali ke alamat ini.',
    administrator: 'administrator',
  },
});
