import type { Language, SignInKind } from '../../../schema/lists.ts';
import { letterOf } from './forms.ts';

/** Stand for the sign-in secrets in stored messages. */
export const marks = {
  'sign-in-link': '[sign-in link]',
  'sign-in-code': '[sign-in code]',
} as const;

/** The store can't change these texts: an editor could learn the secrets. */
type SignInTexts = Readonly<Record<SignInKind, ReturnType<ReturnType<typeof letterOf>>>>;

const signature = '{{store-name}}';
const english = letterOf('Hi {{name}},', signature);
const indonesian = letterOf('Halo {{name}},', signature);

export const signInTexts: Readonly<Record<Language, SignInTexts>> = {
  en: {
    'sign-in-link': english(
      'Your sign-in link for {{store-name}}',
      'This link signs you in to the console of {{store-name}}, once, within ten minutes:',
      marks['sign-in-link'],
      'After that, enter your e-mail address on the same page to get another one. If you did not expect this link, there is nothing to do. Please do not pass it on.',
    ),
    'sign-in-code': english(
      'Your sign-in code for {{store-name}}',
      'This code confirms that it is you who is working in the console of {{store-name}}. It works once, within ten minutes:',
      marks['sign-in-code'],
      'If you did not ask for it, somebody else is using your session: end it in the console. Nobody at the store will ever ask you for the code.',
    ),
    'signed-in': english(
      'You signed in to {{store-name}}',
      'Somebody signed in to the console of {{store-name}} with your account.',
      'When: {{signed-in}}\nBrowser: {{browser}}\nCountry: {{country}}',
      'If that was not you, end the session in the console, and tell an administrator of the store.',
    ),
  },
  id: {
    'sign-in-link': indonesian(
      'Tautan masuk Anda untuk {{store-name}}',
      'Tautan ini memasukkan Anda ke konsol {{store-name}}, satu kali, dalam sepuluh menit:',
      marks['sign-in-link'],
      'Setelah itu, masukkan alamat email Anda di halaman yang sama untuk mendapat tautan lain. Jika Anda tidak menantikan tautan ini, abaikan saja. Mohon jangan meneruskannya.',
    ),
    'sign-in-code': indonesian(
      'Kode masuk Anda untuk {{store-name}}',
      'Kode ini memastikan bahwa Andalah yang bekerja di konsol {{store-name}}. Berlaku satu kali, dalam sepuluh menit:',
      marks['sign-in-code'],
      'Jika Anda tidak memintanya, orang lain memakai sesi Anda: akhiri sesi itu di konsol. Tidak seorang pun dari toko akan menanyakan kode ini.',
    ),
    'signed-in': indonesian(
      'Anda masuk ke {{store-name}}',
      'Seseorang masuk ke konsol {{store-name}} dengan akun Anda.',
      'Waktu: {{signed-in}}\nPeramban: {{browser}}\nNegara: {{country}}',
      'Jika bukan Anda, akhiri sesi itu di konsol, dan beri tahu administrator toko.',
    ),
  },
};
