import { catalogue } from '../../texts/texts.ts';

export const shopTexts = catalogue({
  en: {
    logo: {
      upload: 'Upload a logo',
      hint: 'JPEG, PNG, GIF or WebP, at most 5 MB. It is shown 36 pixels high.',
      alt: 'The logo of the shop',
      elsewhere: 'Open the logo',
      remove: 'Remove the logo',
    },
    color: {
      label: 'Colour',
      hint: 'The colour of buttons and links. Any colour stays legible: the text on buttons is black or white, and links are made darker or lighter where needed. Empty: the usual colour.',
      pick: 'Pick a colour',
    },
    demands: { required: 'required', optional: 'optional', off: 'not asked for' },
    sites: {
      label: 'Sites that may show the checkout in a frame',
      hint: 'One on each line, such as https://blog.example. No other site can put your checkout in a frame.',
    },
    preview: {
      title: 'Preview',
      picture: 'The checkout with the colour, the name or logo, the fields and the links',
      product: 'Sourdough for beginners',
      fields: ['Name', 'E-mail'],
      phone: 'WhatsApp or phone',
      optionalPhone: 'WhatsApp or phone (optional)',
      button: 'Place order',
      agree: 'By ordering, you accept the',
      terms: 'terms',
      links: { contact: 'Contact', terms: 'Terms', privacy: 'Privacy', imprint: 'About us' },
    },
  },
  id: {
    logo: {
      upload: 'Unggah logo',
      hint: 'JPEG, PNG, GIF atau WebP, paling besar 5 MB. Ditampilkan setinggi 36 piksel.',
      alt: 'Logo toko',
      elsewhere: 'Buka logo',
      remove: 'Hapus logo',
    },
    color: {
      label: 'Warna',
      hint: 'Warna tombol dan tautan. Semua warna tetap terbaca: teks di tombol menjadi hitam atau putih, dan tautan dibuat lebih gelap atau lebih terang bila perlu. Kosong: warna biasa.',
      pick: 'Pilih warna',
    },
    demands: { required: 'wajib', optional: 'opsional', off: 'tidak ditanyakan' },
    sites: {
      label: 'Situs yang boleh menampilkan checkout di dalam bingkai',
      hint: 'Satu per baris, misalnya https://blog.example. Situs lain tidak bisa membingkai checkout Anda.',
    },
    preview: {
      title: 'Pratinjau',
      picture: 'Checkout dengan warna, nama atau logo, isian, dan tautan',
      product: 'Roti sourdough untuk pemula',
      fields: ['Nama', 'E-mail'],
      phone: 'WhatsApp atau telepon',
      optionalPhone: 'WhatsApp atau telepon (opsional)',
      button: 'Pesan sekarang',
      agree: 'Dengan memesan, Anda menyetujui',
      terms: 'ketentuan',
      links: { contact: 'Kontak', terms: 'Ketentuan', privacy: 'Privasi', imprint: 'Tentang kami' },
    },
  },
});
