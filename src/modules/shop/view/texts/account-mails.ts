/** Stores can't change these texts: an editor could learn the secrets. */
export const accountMails = {
  en: {
    mailSubject: (store: string) => `Your sign-in link for ${store}`,
    mailText: (store: string, url: string) =>
      `Open this link within an hour to sign in to your account at ${store}:\n\n${url}\n\nIf you did not ask for it, ignore this e-mail.`,
    addressSubject: (store: string) => `Your new e-mail address at ${store}`,
    addressText: (store: string, url: string) =>
      `Somebody, probably you, wants to use this address for their account at ${store}. Open this link within an hour, in the browser in which you are signed in:\n\n${url}\n\nIf this was not you, ignore this e-mail.`,
    movedSubject: (store: string) => `Your e-mail address at ${store} was changed`,
    movedText: (store: string) =>
      `Your account at ${store} now has another e-mail address. This one no longer signs you in.\n\nIf this was not you, tell the shop at once.`,
    codeMessage: (store: string, code: string) =>
      `${code} is your code for ${store}. It works once, within ten minutes. Nobody at the shop will ask you for it.`,
  },
  id: {
    mailSubject: (store: string) => `Tautan masuk Anda untuk ${store}`,
    mailText: (store: string, url: string) =>
      `Buka tautan ini dalam satu jam untuk masuk ke akun Anda di ${store}:\n\n${url}\n\nJika Anda tidak memintanya, abaikan email ini.`,
    addressSubject: (store: string) => `Alamat email baru Anda di ${store}`,
    addressText: (store: string, url: string) =>
      `Seseorang, mungkin Anda, ingin memakai alamat ini untuk akunnya di ${store}. Buka tautan ini dalam satu jam, di peramban tempat Anda sudah masuk:\n\n${url}\n\nJika bukan Anda, abaikan email ini.`,
    movedSubject: (store: string) => `Alamat email Anda di ${store} diubah`,
    movedText: (store: string) =>
      `Akun Anda di ${store} sekarang memakai alamat email lain. Alamat ini tidak lagi bisa dipakai untuk masuk.\n\nJika bukan Anda, segera beri tahu toko.`,
    codeMessage: (store: string, code: string) =>
      `${code} adalah kode Anda untuk ${store}. Berlaku sekali, dalam sepuluh menit. Tidak seorang pun dari toko akan menanyakannya.`,
  },
};
