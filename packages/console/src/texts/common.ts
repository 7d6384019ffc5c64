import { catalogue, plural } from './texts.ts';

/** Words of many screens. */
export const common = catalogue({
  en: {
    actions: {
      cancel: 'Cancel',
      close: 'Close',
      copied: 'Copied',
      copy: 'Copy',
      copyOf: (what: string) => `Copy ${what}`,
      retry: 'Try again',
      remove: (what: string) => `Remove ${what}`,
      save: 'Save',
      search: 'Search',
      dismiss: 'Dismiss',
      delete: 'Delete',
      edit: 'Edit',
    },
    loading: 'Loading',
    whatsApp: 'WhatsApp',
    none: 'None',
    all: 'All',
    choose: 'Choose',
    optional: 'optional',
    noMatches: 'Nothing matches.',
    noAmount: 'This is not an amount.',
    pages: { label: 'Pages', newer: 'Newer', older: 'Older', total: (n: string) => `${n} in all` },
    sheet: {
      previous: 'Previous',
      next: 'Next',
    },
    failed: {
      title: 'That did not work',
      offline: 'The service could not be reached. Check your connection and try again.',
      unexpected: 'Something between this browser and the service answered instead of the service.',
      broken: 'This screen broke. Reload the page; if it breaks again, report what you did.',
      code: 'Code',
      requestId: 'Request',
      reload: 'Reload',
    },
    notAllowed: {
      title: 'Your role may not see this',
      scope: (words: string, scope: string) =>
        `This requires the permission “${words}” (${scope}).`,
      administrator: 'Only administrators see it.',
      ask: 'An administrator can change your role under Team.',
    },
    asApi: {
      title: 'As API',
      explained: 'The calls this screen made. With an API key in $KEY they work from anywhere.',
      empty: 'This screen called nothing that an API key could call.',
    },
    draft: {
      unsaved: (n: number) => `${plural(n, 'change', 'changes')} not saved`,
      discard: 'Discard',
      overtaken: 'Somebody else changed this meanwhile. If you save, your changes replace theirs.',
    },
    secret: {
      once: 'This is shown once. Copy it now: it cannot be shown again.',
      done: 'I have copied it',
    },
    chart: {
      table: 'Show as table',
      chart: 'Show as chart',
      day: 'Day',
    },
  },
  id: {
    actions: {
      cancel: 'Batal',
      close: 'Tutup',
      copied: 'Tersalin',
      copy: 'Salin',
      copyOf: (what: string) => `Salin ${what}`,
      retry: 'Coba lagi',
      remove: (what: string) => `Hapus ${what}`,
      save: 'Simpan',
      search: 'Cari',
      dismiss: 'Tutup',
      delete: 'Hapus',
      edit: 'Ubah',
    },
    loading: 'Memuat',
    whatsApp: 'WhatsApp',
    none: 'Tidak ada',
    all: 'Semua',
    choose: 'Pilih',
    optional: 'opsional',
    noMatches: 'Tidak ada yang cocok.',
    noAmount: 'Ini bukan jumlah uang.',
    pages: {
      label: 'Halaman',
      newer: 'Lebih baru',
      older: 'Lebih lama',
      total: (n: string) => `${n} seluruhnya`,
    },
    sheet: {
      previous: 'Sebelumnya',
      next: 'Berikutnya',
    },
    failed: {
      title: 'Tidak berhasil',
      offline: 'Layanan tidak dapat dihubungi. Periksa koneksi Anda lalu coba lagi.',
      unexpected: 'Yang menjawab bukan layanan ini, melainkan sesuatu di antaranya.',
      broken: 'Layar ini rusak. Muat ulang; jika terjadi lagi, laporkan apa yang Anda lakukan.',
      code: 'Kode',
      requestId: 'Permintaan',
      reload: 'Muat ulang',
    },
    notAllowed: {
      title: 'Peran Anda tidak boleh melihat ini',
      scope: (words: string, scope: string) => `Perlu izin “${words}” (${scope}).`,
      administrator: 'Hanya administrator yang melihatnya.',
      ask: 'Administrator dapat mengganti peran Anda di Tim.',
    },
    asApi: {
      title: 'Sebagai API',
      explained:
        'Panggilan yang dibuat layar ini. Dengan kunci API di $KEY, semuanya bisa dipakai dari mana saja.',
      empty: 'Layar ini tidak memanggil apa pun yang dapat dipanggil kunci API.',
    },
    draft: {
      unsaved: (n: number) => `${n} perubahan belum disimpan`,
      discard: 'Buang',
      overtaken:
        'Orang lain mengubahnya sementara ini. Jika Anda simpan, isian Anda menggantikannya.',
    },
    secret: {
      once: 'Ini hanya ditampilkan sekali. Salin sekarang: tidak dapat ditampilkan lagi.',
      done: 'Sudah saya salin',
    },
    chart: {
      table: 'Tampilkan sebagai tabel',
      chart: 'Tampilkan sebagai grafik',
      day: 'Hari',
    },
  },
});
