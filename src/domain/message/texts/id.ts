import { chat, letterOf, note } from './forms.ts';
import type { Texts } from './shape.ts';

const greeting = 'Halo {{name}},';

const letter = letterOf(greeting, 'Salam,\n{{store-name}}\n{{store-url}}');

const greeted = (...parts: string[]) => chat(greeting, ...parts);

const buyer = 'Pembeli: {{buyer-name}}\nEmail: {{buyer-email}}';

export const id: Texts = {
  templates: {
    welcome: {
      email: letter(
        'Selamat datang di {{store-name}}',
        'Selamat datang di {{store-name}}! Akun Anda sudah siap digunakan. Terima kasih sudah bergabung bersama kami.',
      ),
      whatsapp: greeted(
        'Selamat datang di *{{store-name}}*! Akun Anda sudah siap digunakan.',
        '{{store-url}}',
      ),
    },
    'order-placed': {
      email: letter(
        'Pesanan Anda {{order-number}} di {{store-name}}',
        'Terima kasih sudah memesan! Berikut rincian pesanan Anda.',
        'Nomor pesanan: {{order-number}}\nProduk: {{quantity}} × {{product-name}}\nTotal: {{amount}}',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        'Terima kasih sudah memesan di {{store-name}}. Pesanan Anda *{{order-number}}* sudah kami terima: {{quantity}} × {{product-name}}.',
        '{{how-to-pay}}',
      ),
    },
    'payment-received': {
      email: letter(
        'Pembayaran pesanan {{order-number}} sudah kami terima',
        'Terima kasih! Pembayaran Anda untuk pesanan {{order-number}} ({{product-name}}) sudah kami terima. Perkembangan pesanan akan kami kabarkan kepada Anda.',
        'Total pesanan: {{amount}}',
      ),
      whatsapp: greeted(
        'Terima kasih! Pembayaran Anda untuk pesanan *{{order-number}}* ({{product-name}}) sudah kami terima.',
        '{{store-name}}',
      ),
    },
    'order-in-progress': {
      email: letter(
        'Pesanan Anda {{order-number}} sedang kami proses',
        'Terima kasih sudah memesan! Pesanan Anda sedang kami proses.',
        'Nomor pesanan: {{order-number}}\nProduk: {{quantity}} × {{product-name}}\nTotal: {{amount}}',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        'Pesanan Anda *{{order-number}}* di {{store-name}} sedang kami proses: {{quantity}} × {{product-name}}.',
        '{{how-to-pay}}',
      ),
    },
    'order-shipped': {
      email: letter(
        'Pesanan Anda {{order-number}} sudah dikirim',
        'Kabar baik! Pesanan Anda {{order-number}} ({{product-name}}) sudah dikirim dan sedang dalam perjalanan.',
        '{{tracking}}',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        'Pesanan Anda *{{order-number}}* dari {{store-name}} ({{product-name}}) sudah dikirim dan sedang dalam perjalanan.',
        '{{tracking}}',
        '{{how-to-pay}}',
      ),
    },
    'order-completed': {
      email: letter(
        'Pesanan Anda {{order-number}} sudah selesai',
        'Pesanan Anda {{order-number}} ({{product-name}}) sudah selesai. Terima kasih sudah berbelanja di {{store-name}}!',
        '{{access}}',
        '{{licenses}}',
        'Semua yang Anda beli ada di akun Anda: {{account-link}}',
      ),
      whatsapp: greeted(
        'Pesanan Anda *{{order-number}}* ({{product-name}}) sudah selesai. Terima kasih sudah berbelanja di {{store-name}}!',
        '{{access}}',
        '{{licenses}}',
        'Semua yang Anda beli ada di akun Anda: {{account-link}}',
      ),
    },
    'order-cancelled': {
      email: letter(
        'Pesanan Anda {{order-number}} dibatalkan',
        'Pesanan Anda {{order-number}} ({{product-name}}) telah dibatalkan. Jika Anda sudah membayar, mohon hubungi kami agar dapat kami bantu.',
        'Jika Anda masih berminat, silakan memesan kembali kapan saja.',
      ),
      whatsapp: greeted(
        'Pesanan Anda *{{order-number}}* di {{store-name}} ({{product-name}}) telah dibatalkan. Jika Anda sudah membayar, mohon hubungi kami.',
      ),
    },
    'order-refunded': {
      email: letter(
        'Pengembalian dana untuk pesanan {{order-number}}',
        'Kami sedang mengembalikan dana sebesar {{refunded-amount}} untuk pesanan Anda {{order-number}} ({{product-name}}).',
        'Alasan: {{reason}}',
        'Mohon ditunggu, dana biasanya masuk dalam beberapa hari.',
      ),
      whatsapp: greeted(
        'Kami sedang mengembalikan dana sebesar {{refunded-amount}} untuk pesanan *{{order-number}}* di {{store-name}}. Dana biasanya masuk dalam beberapa hari.',
        'Alasan: {{reason}}',
      ),
    },
    'confirmation-rejected': {
      email: letter(
        'Pembayaran pesanan {{order-number}} belum dapat kami konfirmasi',
        'Terima kasih atas konfirmasi pembayaran Anda untuk pesanan {{order-number}}. Mohon maaf, pembayaran tersebut belum dapat kami konfirmasi.',
        'Alasan: {{reason}}',
        'Jika Anda sudah membayar, mohon periksa kembali datanya dan kirimkan ulang bukti pembayaran Anda. Jika belum, Anda masih dapat melakukan pembayaran.',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        'Mohon maaf, pembayaran Anda untuk pesanan *{{order-number}}* di {{store-name}} belum dapat kami konfirmasi.',
        'Alasan: {{reason}}',
        'Jika Anda sudah membayar, mohon kirimkan ulang bukti pembayarannya. Jika belum, Anda masih dapat membayar.',
        '{{how-to-pay}}',
      ),
    },
    'subscription-ending': {
      email: letter(
        'Langganan {{product-name}} Anda berakhir pada {{end-date}}',
        'Langganan {{product-name}} Anda akan berakhir pada {{end-date}}. Agar tidak terputus, silakan perpanjang sebelum tanggal tersebut.',
        'Biaya perpanjangan: {{amount}}',
      ),
      whatsapp: greeted(
        'Langganan *{{product-name}}* Anda di {{store-name}} akan berakhir pada {{end-date}}. Agar tidak terputus, silakan perpanjang sebelum tanggal tersebut.',
        'Biaya perpanjangan: {{amount}}\n{{store-url}}',
      ),
    },
    'subscription-ended': {
      email: letter(
        'Langganan {{product-name}} Anda sudah berakhir',
        'Langganan {{product-name}} Anda telah berakhir pada {{end-date}}.',
        'Anda dapat memperpanjangnya dengan biaya {{amount}}, dan kami akan senang menyambut Anda kembali.',
      ),
      whatsapp: greeted(
        'Langganan *{{product-name}}* Anda di {{store-name}} telah berakhir pada {{end-date}}.',
        'Anda dapat memperpanjangnya dengan biaya {{amount}}.\n{{store-url}}',
      ),
    },
    'subscription-cancelled': {
      email: letter(
        'Langganan {{product-name}} Anda dibatalkan',
        'Langganan {{product-name}} Anda telah dibatalkan, dan tidak ada lagi yang perlu dibayar.',
        'Akses berakhir pada: {{end-date}}',
      ),
      whatsapp: chat(
        greeting,
        'Langganan *{{product-name}}* Anda di {{store-name}} telah dibatalkan, dan tidak ada lagi yang perlu dibayar.',
        'Akses berakhir pada: {{end-date}}',
      ),
    },
    'payment-overdue': {
      email: letter(
        'Pembayaran {{product-name}} sudah jatuh tempo',
        'Pembayaran berikutnya untuk {{product-name}} sudah lewat jatuh tempo. Silakan bayar sebelum {{end-date}}, saat akses Anda berakhir.',
        'Jumlah: {{amount}}',
      ),
      whatsapp: chat(
        greeting,
        'Pembayaran berikutnya untuk *{{product-name}}* di {{store-name}} sudah lewat jatuh tempo. Silakan bayar sebelum {{end-date}}, saat akses Anda berakhir.',
        'Jumlah: {{amount}}\n{{store-url}}',
      ),
    },
    'commission-earned': {
      email: letter(
        'Anda mendapat komisi {{commission}}',
        'Selamat! Anda mendapat komisi sebesar {{commission}} dari penjualan {{product-name}}. Terima kasih sudah merekomendasikan kami.',
      ),
      whatsapp: greeted(
        'Selamat! Anda mendapat komisi sebesar *{{commission}}* dari penjualan {{product-name}} di {{store-name}}.',
      ),
    },
    'commission-paid': {
      email: letter(
        'Komisi Anda sebesar {{payout-amount}} sudah dibayarkan',
        'Komisi Anda sebesar {{payout-amount}} sudah kami bayarkan. Terima kasih sudah merekomendasikan kami!',
        'Metode: {{payout-method}}\nReferensi: {{payout-reference}}',
      ),
      whatsapp: greeted(
        'Komisi Anda sebesar *{{payout-amount}}* sudah dibayarkan oleh {{store-name}}. Terima kasih sudah merekomendasikan kami!',
        'Metode: {{payout-method}}\nReferensi: {{payout-reference}}',
      ),
    },
    'bank-account-changed': {
      email: letter(
        'Rekening bank Anda di {{store-name}} telah diubah',
        'Rekening bank tempat {{store-name}} membayarkan komisi Anda telah diubah.',
        'Jika bukan Anda yang mengubahnya, segera beri tahu kami, sebelum kami membayar ke sana.',
      ),
      whatsapp: greeted(
        'Rekening bank tempat *{{store-name}}* membayarkan komisi Anda telah diubah.',
        'Jika bukan Anda yang mengubahnya, segera beri tahu kami, sebelum kami membayar ke sana.',
      ),
    },
    'new-order': {
      email: note(
        'Pesanan baru {{order-number}}: {{product-name}}',
        'Ada pesanan baru di {{store-name}}.',
        `Nomor pesanan: {{order-number}}\nTanggal: {{order-date}}\nProduk: {{quantity}} × {{product-name}}\nTotal: {{amount}}\n${buyer}`,
      ),
      whatsapp: chat(
        'Pesanan baru *{{order-number}}*',
        `{{quantity}} × {{product-name}}\nTotal: {{amount}}\n${buyer}`,
      ),
    },
    'new-confirmation': {
      email: note(
        'Konfirmasi pembayaran pesanan {{order-number}} perlu diperiksa',
        'Seorang pembeli menyatakan sudah membayar. Mohon periksa apakah dananya sudah masuk, lalu setujui atau tolak konfirmasinya.',
        `Nomor pesanan: {{order-number}}\nProduk: {{product-name}}\nTotal: {{amount}}\nNominal yang dilaporkan: {{reported-amount}}\n${buyer}`,
      ),
      whatsapp: chat(
        'Konfirmasi pembayaran pesanan *{{order-number}}* perlu diperiksa',
        `Total: {{amount}}\nNominal yang dilaporkan: {{reported-amount}}\n${buyer}`,
      ),
    },
    'unexpected-payment': {
      email: note(
        'Ada pembayaran di {{store-name}} yang perlu Anda putuskan',
        'Ada pembayaran masuk yang tidak cocok dengan pesanan. Mohon putuskan apakah pembayaran ini diterima atau dikembalikan.',
        `Dana masuk: {{received-amount}}\nMasalah: {{reason}}\nNomor pesanan: {{order-number}}\nProduk: {{product-name}}\nTotal pesanan: {{amount}}\n${buyer}`,
      ),
      whatsapp: chat(
        'Ada pembayaran di {{store-name}} yang perlu Anda putuskan.',
        'Dana masuk: {{received-amount}}\nMasalah: {{reason}}\nNomor pesanan: *{{order-number}}*\nTotal pesanan: {{amount}}',
      ),
    },
    'webhook-paused': {
      email: note(
        'Webhook {{webhook-name}} dijeda',
        'Webhook {{webhook-name}} milik {{store-name}} dijeda: {{reason}}.',
        'Selama dijeda, event disimpan dahulu. Setelah penerimanya berfungsi kembali, mohon aktifkan lagi webhook ini agar semua event terkirim.',
      ),
      whatsapp: chat(
        'Webhook *{{webhook-name}}* milik {{store-name}} dijeda: {{reason}}. Event disimpan sampai webhook diaktifkan lagi.',
      ),
    },
    'seller-summary': {
      email: note(
        '{{count}} pemberitahuan lain dari {{store-name}}',
        'Begitu banyak yang terjadi di {{store-name}} sehingga sisanya kami sampaikan sekaligus.',
        '{{summary}}',
      ),
      whatsapp: chat('{{count}} pemberitahuan lain dari {{store-name}}.', '{{summary}}'),
    },
    'store-alert': {
      email: note(
        'Ada masalah di {{store-name}}',
        'Ada yang perlu diperiksa di {{store-name}}.',
        '{{troubles}}',
      ),
      whatsapp: chat('Ada yang perlu diperiksa di {{store-name}}.', '{{troubles}}'),
    },
  },
  words: {
    amounts: 'id',
    dates: 'id',
    transferTo: (amount, accounts) =>
      accounts === 0
        ? `Silakan transfer ${amount} ke rekening kami. Hubungi kami untuk nomor rekeningnya.`
        : `Silakan transfer ${amount} ke ${accounts === 1 ? 'rekening' : 'salah satu rekening'} berikut:`,
    account: (bank, number, owner) => `${bank} ${number} a.n. ${owner}`,
    exactly:
      'Mohon transfer dengan nominal yang sama persis sampai digit terakhir agar pembayaran Anda dapat kami kenali.',
    reference: (number) => `Cantumkan ${number} pada berita transfer.`,
    payBefore: (moment) =>
      `Mohon lakukan pembayaran paling lambat ${moment}. Setelah itu, pesanan otomatis dibatalkan.`,
    onDelivery: (amount) => `Mohon siapkan ${amount} tunai untuk dibayarkan saat pesanan diterima.`,
    payHere: (amount, gateway) => `Bayar ${amount} dengan ${gateway} di sini:`,
    payWith: (amount, gateway) => `Silakan bayar ${amount} dengan ${gateway}.`,
    orderPage: 'Lihat pesanan dan cara pembayarannya di sini:',
    courier: (name) => `Kurir: ${name}`,
    trackingNumber: (number) => `Nomor resi: ${number}`,
    trackingPage: (url) => `Lacak paket Anda: ${url}`,
    access: 'Akses pembelian Anda di sini:',
    licenses: 'Kode lisensi Anda:',
    more: (count) => `dan ${count} lainnya`,
    browser: (name, system) => `${name} di ${system}`,
    unexpected: {
      amount: 'jumlahnya tidak sama dengan tagihan pesanan',
      currency: 'mata uangnya berbeda dengan pesanan',
      order_paid: 'pesanan sudah dibayar sebelumnya',
      order_cancelled: 'pesanan sudah dibatalkan',
      order_refunded: 'dana pesanan sudah dikembalikan',
      order_deleted: 'pesanan sudah dihapus',
      order_refused: 'pesanan tidak dapat ditandai sebagai lunas',
      reversed: 'penyedia pembayaran menarik kembali pembayaran ini',
    },
    paused: {
      manual: 'ada yang menjedanya',
      gone: 'penerimanya menyatakan sudah tidak ada (410)',
      failing: 'penerimanya gagal selama lima hari',
    },
    notices: {
      'new-order': (count) => `${count} pesanan baru`,
      'new-confirmation': (count) => `${count} pembayaran yang perlu diperiksa`,
      'unexpected-payment': (count) => `${count} pembayaran yang menunggu keputusan Anda`,
      'webhook-paused': (count) => `${count} webhook yang dijeda`,
    },
    troubles: {
      undelivered_event_age: (hours) =>
        `Ada event yang sudah ${hours} jam menunggu dikirim ke webhook-nya.`,
      failing_webhooks: (count) => `${count} webhook gagal menerima event.`,
      stuck_payments: (count) =>
        `${count} pembayaran tidak dapat diperiksa di penyedia pembayaran selama 15 menit.`,
      stuck_messages: (count) => `${count} pesan sudah menunggu lebih dari 15 menit.`,
      unsent_refunds: (count) =>
        `${count} pengembalian dana tidak dapat dibayarkan oleh penyedia pembayaran.`,
      backup_age: (days) => `Cadangan terakhir sudah berumur ${days} hari.`,
      database_size: (gigabytes) => `Ukuran database sudah mencapai ${gigabytes} GB.`,
    },
    unsubscribe: ['Tidak ingin menerima pesan seperti ini lagi?', 'Hentikan pesan ini'],
  },
};
