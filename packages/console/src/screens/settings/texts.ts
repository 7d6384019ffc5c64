import { catalogue, plural } from '../../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Settings',
    lead: 'Settings of the whole store. Only administrators see them.',
    saved: 'The settings are saved',
    choose: 'Choose',
    noCountry: 'None',
    fixed: 'Fixed by the first order: a change would alter the meaning of past amounts and days.',
    noAmount: 'Type an amount, like 150000.',
    parts: {
      store: 'Store',
      shop: 'Shop',
      payments: 'Payments',
      messages: 'Messages',
      selling: 'Selling and affiliates',
      console: 'This console',
    },
    sections: {
      store: 'Store',
      addresses: 'Addresses',
      apps: 'Members’ app',
      ways: 'Ways to pay',
      accounts: 'Bank accounts',
      transfers: 'Transfers and unpaid orders',
      refunds: 'Refunds',
      senders: 'Senders',
      layout: 'Look of e-mails',
      access: 'Access',
      subscriptions: 'Subscriptions',
      taxes: 'Taxes',
      affiliates: 'Affiliates and holds',
      limits: 'Limits of the checkout',
      looks: 'Look of this console',
      look: 'Look of the shop',
      links: 'Links below each page',
      checkout: 'What the checkout asks for',
      frames: 'On other sites',
    },
    fields: {
      shop_logo_url: { label: 'Address of the logo', hint: 'Filled in by an upload.' },
      shop_contact_url: {
        label: 'Contact',
        hint: 'A page, a chat such as https://wa.me/628125550100, or mailto: with an e-mail address.',
      },
      shop_terms_url: { label: 'Terms', hint: 'Also linked beside the order button.' },
      shop_privacy_url: { label: 'Privacy', hint: 'How you use personal data.' },
      shop_imprint_url: { label: 'About us', hint: 'Who runs the store.' },
      shop_phone: {
        label: 'WhatsApp or phone',
        hint: 'Always required where goods are shipped.',
      },
      shop_postal_code: { label: 'Postal code', hint: 'Only where goods are shipped.' },
      store_name: { label: 'Name', hint: 'Buyers see it in messages and on payment pages.' },
      language: { label: 'Language', hint: 'The language of messages to people who chose none.' },
      currency: {
        label: 'Currency',
        hint: 'All prices are in it. Without one nothing can be sold; the first order fixes it.',
      },
      timezone: {
        label: 'Time zone',
        hint: 'Decides when days begin and end in figures and filters. The first order fixes it.',
      },
      country: {
        label: 'Country',
        hint: 'Phone numbers without a calling code are read as numbers of this country.',
      },
      invoice_prefix: {
        label: 'Order numbers begin with',
        hint: 'New orders are numbered like INV-000118. Gaps are normal: a refused order uses up its number. Letters, digits, / _ and -.',
      },
      site_url: {
        label: 'Site',
        hint: 'Affiliate links lead there, and buyers come back there after payment. If the store has the shop’s pages, both use these.',
      },
      notification_email: {
        label: 'E-mail address for notices',
        hint: 'You get notices of new orders, payment proofs and the like there. Empty: none.',
      },
      notification_phone: {
        label: 'WhatsApp number for notices',
        hint: 'You get the same notices by WhatsApp. With the calling code, or a number of your country.',
      },
      session_ttl: {
        label: 'Members stay signed in for',
        hint: 'How long a session of your app is valid.',
      },
      platform_name: {
        label: 'Name of the app',
        hint: 'The provider that is named in members’ sessions by default.',
      },
      unique_code: {
        label: 'Unique code in transfers',
        hint: 'A small amount in each total tells transfers apart.',
        operation: 'The code is',
        operations: { added: 'added to the total', reduced: 'taken off the total' },
        largest: 'Largest code',
        largestHint:
          'In the smallest unit of the currency, 999 to 9999. More codes serve more open orders.',
      },
      auto_cancel_days: {
        label: 'Cancel unpaid orders after, in days',
        hint: '0: never. Cancelling an order frees its stock and its coupon.',
      },
      transfer_hold_days: {
        label: 'Keep amounts of cancelled transfers, in days',
        hint: 'For these days no other order gets the same amount, in case the money still arrives.',
      },
      restock_on_refund: {
        label: 'Put units back in stock',
        hint: 'When an order is refunded in full.',
      },
      refund_sign_in_above: {
        label: 'Ask for a code above',
        hint: 'If an order’s refunds exceed this amount in total, the console asks for a recent sign-in. 0: for every refund.',
      },
      mail_layout: {
        label: 'HTML around the text',
        hint: 'Write {{content}} once, where the text goes. {{store-name}}, {{store-url}} and {{unsubscribe-url}} are filled in. Empty: the plain layout of the service.',
      },
      access_statuses: {
        label: 'Buyers have access while their paid order is',
        hint: 'A completed order always gives access.',
      },
      members_cancel: {
        label: 'Members may cancel their own subscriptions',
        hint: 'They can also withdraw the cancellation. If this is off, only the store cancels.',
      },
      permanent_affiliate: {
        label: 'Buyers stay with their sponsor',
        hint: 'Their orders count for the sponsor before any other affiliate.',
      },
      velocity_orders: {
        label: 'Orders of one buyer through one affiliate without a risk',
        hint: 'Each further order makes a risk, and its commissions are held until you decide. 0: no limit.',
      },
      velocity_hours: {
        label: 'Within, in hours',
        hint: 'The period in which these orders are counted.',
      },
      affiliate_sign_up: {
        label: 'Members may become affiliates',
        hint: 'By a button in their account.',
      },
      shop_unpaid_orders: {
        label: 'Unpaid orders of one e-mail address',
        hint: 'For a further order the buyer first opens a link that is sent there; without an e-mail sender it is refused.',
      },
      shop_hourly_orders: {
        label: 'Orders of one network, in an hour',
        hint: 'Many people in an office or a mobile network can share one address.',
      },
      shop_hold_hours: {
        label: 'Hold units for an unpaid order, in hours',
        hint: 'Then it is cancelled, unless the buyer has uploaded a payment proof.',
      },
      shop_receipt_days: {
        label: 'Cancel orders with an unreviewed payment proof after, in days',
        hint: 'Anybody can upload a picture. 0: never.',
      },
      affiliate_link_days: {
        label: 'Days for which a visit through a link counts',
        hint: 'An order in these days counts for the affiliate of the link.',
      },
      affiliate_coupon_status: {
        label: 'Coupons that affiliates make',
        hint: 'Decides if the coupons work at once.',
      },
    },
    affiliateCoupons: {
      statuses: { 'need-approve': 'wait for approval', active: 'work at once' },
    },
    taxes:
      'Each product has its own tax: its rate, and whether the price includes it. There is none for the whole store.',
    limits:
      'At the checkout anybody can type any e-mail address. These limits keep your goods available to other buyers.',
    holds:
      'Each product has its own commissions, and the days for which they are held before you can pay them out.',
    accounts: {
      lead: 'Buyers transfer to these accounts and see all four lines. Removing an account changes nothing for paid orders.',
      account: (n: number, bank: string) => (bank ? `Account ${n}, ${bank}` : `Account ${n}`),
      bank: 'Bank',
      account_number: 'Account number',
      owner: 'Account holder',
      info: 'Note for buyers',
      add: 'Add an account',
      remove: 'Remove',
    },
    ways: {
      on: 'On',
      off: 'Off',
      offered: 'Offered to buyers.',
      cod: 'Offered for products that allow it.',
      noCurrency: 'The store has no currency yet.',
      noAccount: 'Add a bank account below.',
      otherCurrency: (currency: string) => `It does not take ${currency}.`,
      lacks: (names: string) => `Whoever runs the service switches it on with: ${names}.`,
      check: 'Check',
      checkOf: (name: string) => `Check ${name}`,
      answered: 'It answered and accepts the credentials.',
      problem: (code: string) => `The check failed: ${code}.`,
    },
    senders: {
      states: { on: 'On', off: 'Off', broken: 'Not working' },
      by: (name: string) => `Sent by ${name}.`,
      queued: (n: number) => `${plural(n, 'message waits', 'messages wait')}.`,
      problem: (code: string) =>
        `The sender refuses: ${code}. The service has tried every five minutes since`,
      lacks: {
        email:
          'Buyers get no e-mails. Whoever runs the service switches it on with: MAIL_FROM, RESEND_API_KEY.',
        whatsapp:
          'Whoever runs the service switches it on with: FONNTE_TOKEN, or the WHATSAPP_ variables.',
        sms: 'A service of your own sends them: REMINDER_URL, REMINDER_SECRET.',
      },
      test: 'Send a test',
      testOf: (medium: string) => `Send a test by ${medium}`,
      testText: 'Sends the welcome message with an invented buyer.',
      recipient: { email: 'E-mail address', whatsapp: 'WhatsApp number' },
      send: 'Send',
      underWay: 'On its way…',
      accepted: 'The sender accepted it. Check your inbox.',
      failed: (code: string) => `It could not be sent: ${code}.`,
      done: 'Done',
    },
    looks: {
      lead: 'Kept in this browser only. Nothing changes for other people.',
      language: 'Language',
      languageHint: 'The language of the console, not of messages.',
      asAccount: 'As the account',
      theme: 'Appearance',
      themeHint: 'Light text on dark is easier on the eyes at night.',
      system: 'As the system',
      light: 'Light',
      dark: 'Dark',
      keys: 'Single-key shortcuts',
      keysHint: 'They are off while you type. Press ? for the list.',
    },
  },
  id: {
    title: 'Pengaturan',
    lead: 'Pengaturan untuk seluruh toko. Hanya administrator yang melihatnya.',
    saved: 'Pengaturan disimpan',
    choose: 'Pilih',
    noCountry: 'Tidak ada',
    fixed: 'Tetap sejak pesanan pertama: perubahan akan mengubah arti jumlah dan hari yang lalu.',
    noAmount: 'Isi jumlah, misalnya 150000.',
    parts: {
      store: 'Toko',
      shop: 'Halaman toko',
      payments: 'Pembayaran',
      messages: 'Pesan',
      selling: 'Penjualan dan afiliasi',
      console: 'Konsol ini',
    },
    sections: {
      store: 'Toko',
      addresses: 'Alamat',
      apps: 'Aplikasi anggota',
      ways: 'Cara bayar',
      accounts: 'Rekening bank',
      transfers: 'Transfer dan pesanan belum dibayar',
      refunds: 'Pengembalian dana',
      senders: 'Pengirim',
      layout: 'Tampilan email',
      access: 'Akses',
      subscriptions: 'Langganan',
      taxes: 'Pajak',
      affiliates: 'Afiliasi dan penahanan',
      limits: 'Batas checkout',
      looks: 'Tampilan konsol ini',
      look: 'Tampilan halaman toko',
      links: 'Tautan di bawah tiap halaman',
      checkout: 'Yang ditanyakan checkout',
      frames: 'Di situs lain',
    },
    fields: {
      shop_logo_url: { label: 'Alamat logo', hint: 'Terisi saat mengunggah.' },
      shop_contact_url: {
        label: 'Kontak',
        hint: 'Halaman, obrolan seperti https://wa.me/628125550100, atau mailto: dengan alamat email.',
      },
      shop_terms_url: { label: 'Ketentuan', hint: 'Juga ditautkan di samping tombol pesan.' },
      shop_privacy_url: { label: 'Privasi', hint: 'Cara Anda memakai data pribadi.' },
      shop_imprint_url: { label: 'Tentang kami', hint: 'Siapa yang menjalankan toko.' },
      shop_phone: {
        label: 'WhatsApp atau telepon',
        hint: 'Selalu wajib untuk barang yang dikirim.',
      },
      shop_postal_code: { label: 'Kode pos', hint: 'Hanya untuk barang yang dikirim.' },
      store_name: { label: 'Nama', hint: 'Pembeli melihatnya di pesan dan halaman pembayaran.' },
      language: { label: 'Bahasa', hint: 'Bahasa pesan untuk orang yang tidak memilih.' },
      currency: {
        label: 'Mata uang',
        hint: 'Semua harga memakainya. Tanpa ini tidak ada yang bisa dijual; pesanan pertama menetapkannya.',
      },
      timezone: {
        label: 'Zona waktu',
        hint: 'Menentukan kapan hari mulai dan berakhir di angka dan filter. Pesanan pertama menetapkannya.',
      },
      country: {
        label: 'Negara',
        hint: 'Nomor telepon tanpa kode negara dibaca sebagai nomor negara ini.',
      },
      invoice_prefix: {
        label: 'Nomor pesanan diawali',
        hint: 'Pesanan baru bernomor seperti INV-000118. Nomor yang terlewat itu wajar: pesanan yang ditolak memakai nomornya. Huruf, angka, / _ dan -.',
      },
      site_url: {
        label: 'Situs',
        hint: 'Tautan afiliasi menuju ke sana, dan pembeli kembali ke sana setelah membayar. Jika toko punya halaman toko, keduanya memakai halaman itu.',
      },
      notification_email: {
        label: 'Email untuk pemberitahuan',
        hint: 'Pemberitahuan pesanan baru, bukti bayar, dan sejenisnya dikirim ke sana. Kosong: tidak ada.',
      },
      notification_phone: {
        label: 'Nomor WhatsApp untuk pemberitahuan',
        hint: 'Pemberitahuan yang sama lewat WhatsApp. Dengan kode negara, atau nomor negara Anda.',
      },
      session_ttl: {
        label: 'Anggota tetap masuk selama',
        hint: 'Berapa lama sesi aplikasi Anda berlaku.',
      },
      platform_name: {
        label: 'Nama aplikasi',
        hint: 'Penyedia yang disebut di sesi anggota jika tidak ada yang lain.',
      },
      unique_code: {
        label: 'Kode unik di transfer',
        hint: 'Jumlah kecil di tiap total membedakan transfer.',
        operation: 'Kode itu',
        operations: { added: 'ditambahkan ke total', reduced: 'dikurangi dari total' },
        largest: 'Kode terbesar',
        largestHint:
          'Dalam satuan terkecil mata uang, 999 sampai 9999. Makin banyak kode, makin banyak pesanan terbuka.',
      },
      auto_cancel_days: {
        label: 'Batalkan pesanan belum dibayar setelah, dalam hari',
        hint: '0: tidak pernah. Pembatalan pesanan membebaskan stok dan kuponnya.',
      },
      transfer_hold_days: {
        label: 'Simpan jumlah transfer yang dibatalkan, dalam hari',
        hint: 'Selama itu tidak ada pesanan lain dengan jumlah yang sama, kalau-kalau uangnya masih datang.',
      },
      restock_on_refund: {
        label: 'Kembalikan unit ke stok',
        hint: 'Ketika pesanan dikembalikan penuh.',
      },
      refund_sign_in_above: {
        label: 'Minta kode di atas',
        hint: 'Jika total pengembalian dana satu pesanan lebih dari ini, konsol meminta masuk ulang. 0: untuk setiap pengembalian dana.',
      },
      mail_layout: {
        label: 'HTML di sekitar teks',
        hint: 'Tulis {{content}} satu kali, di tempat teks. {{store-name}}, {{store-url}} dan {{unsubscribe-url}} diisi. Kosong: tampilan polos bawaan layanan.',
      },
      access_statuses: {
        label: 'Pembeli punya akses selama pesanan yang dibayar berstatus',
        hint: 'Pesanan yang selesai selalu memberi akses.',
      },
      members_cancel: {
        label: 'Anggota boleh membatalkan langganannya sendiri',
        hint: 'Mereka juga bisa menarik kembali pembatalannya. Jika mati, hanya toko yang membatalkan.',
      },
      permanent_affiliate: {
        label: 'Pembeli tetap milik sponsornya',
        hint: 'Pesanannya dihitung untuk sponsor sebelum afiliasi lain.',
      },
      velocity_orders: {
        label: 'Pesanan satu pembeli lewat satu afiliasi tanpa risiko',
        hint: 'Tiap pesanan berikutnya menjadi risiko, dan komisinya ditahan sampai Anda memutuskan. 0: tanpa batas.',
      },
      velocity_hours: { label: 'Dalam waktu, jam', hint: 'Jangka waktu penghitungan pesanan ini.' },
      affiliate_sign_up: {
        label: 'Anggota boleh menjadi afiliasi',
        hint: 'Lewat tombol di akun mereka.',
      },
      shop_unpaid_orders: {
        label: 'Pesanan belum dibayar per alamat email',
        hint: 'Untuk pesanan selebihnya pembeli lebih dulu membuka tautan yang dikirim ke sana; tanpa pengirim email ditolak.',
      },
      shop_hourly_orders: {
        label: 'Pesanan per jaringan, tiap jam',
        hint: 'Kantor atau jaringan seluler bisa memakai satu alamat untuk banyak orang.',
      },
      shop_hold_hours: {
        label: 'Tahan stok untuk pesanan belum dibayar, dalam jam',
        hint: 'Setelah itu pesanan dibatalkan, kecuali pembeli sudah mengunggah bukti bayar.',
      },
      shop_receipt_days: {
        label: 'Batalkan pesanan dengan bukti bayar yang belum ditinjau setelah, dalam hari',
        hint: 'Siapa pun bisa mengunggah gambar. 0: tidak pernah.',
      },
      affiliate_link_days: {
        label: 'Kunjungan lewat tautan berlaku, dalam hari',
        hint: 'Pesanan dalam jangka waktu ini dihitung untuk afiliasi pemilik tautan.',
      },
      affiliate_coupon_status: {
        label: 'Kupon yang dibuat afiliasi',
        hint: 'Menentukan apakah kupon langsung berlaku.',
      },
    },
    affiliateCoupons: {
      statuses: { 'need-approve': 'menunggu persetujuan', active: 'langsung berlaku' },
    },
    taxes:
      'Tiap produk punya pajaknya sendiri: tarif, dan apakah harga sudah termasuk. Tidak ada pajak untuk seluruh toko.',
    limits:
      'Di checkout siapa pun bisa mengetik alamat email apa pun. Batas ini menjaga barang Anda untuk pembeli lain.',
    holds:
      'Tiap produk punya komisinya sendiri, dan lama penahanan sebelum komisi bisa dibayarkan.',
    accounts: {
      lead: 'Pembeli mentransfer ke sini dan melihat keempat baris. Menghapus satu tidak mengubah pesanan yang sudah dibayar.',
      account: (n: number, bank: string) => (bank ? `Rekening ${n}, ${bank}` : `Rekening ${n}`),
      bank: 'Bank',
      account_number: 'Nomor rekening',
      owner: 'Pemilik rekening',
      info: 'Catatan untuk pembeli',
      add: 'Tambah rekening',
      remove: 'Hapus',
    },
    ways: {
      on: 'Aktif',
      off: 'Mati',
      offered: 'Ditawarkan ke pembeli.',
      cod: 'Ditawarkan untuk produk yang mengizinkannya.',
      noCurrency: 'Toko belum punya mata uang.',
      noAccount: 'Tambah rekening bank di bawah.',
      otherCurrency: (currency: string) => `Tidak menerima ${currency}.`,
      lacks: (names: string) => `Yang menjalankan layanan mengaktifkannya dengan: ${names}.`,
      check: 'Periksa',
      checkOf: (name: string) => `Periksa ${name}`,
      answered: 'Penyedia menjawab dan menerima kredensialnya.',
      problem: (code: string) => `Pemeriksaan gagal: ${code}.`,
    },
    senders: {
      states: { on: 'Aktif', off: 'Mati', broken: 'Tidak berfungsi' },
      by: (name: string) => `Dikirim oleh ${name}.`,
      queued: (n: number) => `${n} pesan menunggu.`,
      problem: (code: string) => `Pengirim menolak: ${code}. Layanan mencoba tiap lima menit sejak`,
      lacks: {
        email:
          'Pembeli tidak menerima email. Yang menjalankan layanan mengaktifkannya dengan: MAIL_FROM, RESEND_API_KEY.',
        whatsapp:
          'Yang menjalankan layanan mengaktifkannya dengan: FONNTE_TOKEN, atau variabel WHATSAPP_.',
        sms: 'Lewat layanan Anda sendiri: REMINDER_URL, REMINDER_SECRET.',
      },
      test: 'Kirim uji coba',
      testOf: (medium: string) => `Kirim uji coba lewat ${medium}`,
      testText: 'Mengirim pesan selamat datang dengan pembeli karangan.',
      recipient: { email: 'Alamat email', whatsapp: 'Nomor WhatsApp' },
      send: 'Kirim',
      underWay: 'Sedang dikirim…',
      accepted: 'Pengirim menerimanya. Periksa kotak masuk Anda.',
      failed: (code: string) => `Tidak dapat dikirim: ${code}.`,
      done: 'Selesai',
    },
    looks: {
      lead: 'Disimpan di peramban ini saja. Tidak ada yang berubah bagi orang lain.',
      language: 'Bahasa',
      languageHint: 'Bahasa konsol, bukan pesan.',
      asAccount: 'Mengikuti akun',
      theme: 'Tampilan',
      themeHint: 'Teks terang di latar gelap nyaman di malam hari.',
      system: 'Mengikuti sistem',
      light: 'Terang',
      dark: 'Gelap',
      keys: 'Pintasan satu tombol',
      keysHint: 'Tidak aktif selama Anda mengetik. Tekan ? untuk daftarnya.',
    },
  },
});
