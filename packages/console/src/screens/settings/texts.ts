import { catalogue, plural } from '../../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Settings',
    lead: 'What holds for the whole store. Only administrators see it.',
    saved: 'The settings are saved',
    choose: 'Choose',
    noCountry: 'None',
    fixed: 'Fixed by the first order: figures and days would change their meaning.',
    noAmount: 'Type an amount, like 150000.',
    parts: {
      store: 'Store',
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
      taxes: 'Taxes',
      affiliates: 'Affiliates and holds',
      checkout: 'Checkout of the shop',
      looks: 'Look of this console',
    },
    fields: {
      store_name: { label: 'Name', hint: 'Buyers see it in messages and on payment pages.' },
      language: { label: 'Language', hint: 'Messages are in it for people who chose none.' },
      currency: {
        label: 'Currency',
        hint: 'All prices are in it. Without one nothing can be sold; the first order fixes it.',
      },
      timezone: {
        label: 'Time zone',
        hint: 'Days in figures and filters begin and end by it. The first order fixes it.',
      },
      country: {
        label: 'Country',
        hint: 'Phone numbers without a calling code are read as numbers of this country.',
      },
      invoice_prefix: {
        label: 'Order numbers begin with',
        hint: 'New orders are numbered like INV-000118. Letters, digits, / _ and -.',
      },
      site_url: {
        label: 'Site',
        hint: 'Affiliate links lead there, and buyers come back there from a payment page.',
      },
      notification_email: {
        label: 'E-mail address for notices',
        hint: 'Where you are told of new orders, proofs and the like. Empty: nowhere.',
      },
      notification_phone: {
        label: 'WhatsApp number for notices',
        hint: 'The same by WhatsApp: with its calling code, or a number of your country.',
      },
      session_ttl: {
        label: 'Sign-in of members lasts, in seconds',
        hint: 'How long a session that your app was given works: 3600 is an hour.',
      },
      platform_name: {
        label: 'Name of the app',
        hint: 'The provider of members’ sessions that name none.',
      },
      unique_code: {
        label: 'Unique code in transfers',
        hint: 'A small code changes each total, so that every transfer can be told apart.',
        operation: 'The code is',
        operations: { added: 'added to the total', reduced: 'taken off the total' },
        largest: 'Largest code',
        largestHint:
          'In the smallest unit of the currency, 999 to 9999. More codes serve more open orders.',
      },
      auto_cancel_days: {
        label: 'Cancel unpaid orders after, in days',
        hint: '0: never. Stock and coupons of cancelled orders are free again.',
      },
      transfer_hold_days: {
        label: 'Keep amounts of cancelled transfers, in days',
        hint: 'So long no other order gets the same amount, should the money still come.',
      },
      restock_on_refund: {
        label: 'Put units back in stock',
        hint: 'When an order is refunded in full.',
      },
      refund_sign_in_above: {
        label: 'Ask for a code above',
        hint: 'Refunds of more than this in all take a fresh sign-in to the console. 0: every refund.',
      },
      mail_layout: {
        label: 'HTML around the text',
        hint: '{{content}} stands once where the text goes; {{store-name}}, {{store-url}} and {{unsubscribe-url}} are filled in. Empty: the plain layout that comes with the service.',
      },
      access_statuses: {
        label: 'Buyers have access while their paid order is',
        hint: 'A completed order always gives access.',
      },
      permanent_affiliate: {
        label: 'Buyers stay with their sponsor',
        hint: 'Their orders count for the sponsor before any other affiliate.',
      },
      velocity_orders: {
        label: 'Orders of one buyer through one affiliate, then a risk',
        hint: '0: never. Commissions of further orders are held until you decide.',
      },
      velocity_hours: { label: 'Within, in hours', hint: 'The time in which these orders count.' },
      affiliate_sign_up: {
        label: 'Members may become affiliates',
        hint: 'By a button on the page of their account.',
      },
      shop_unpaid_orders: {
        label: 'Unpaid orders of one e-mail address',
        hint: 'Whoever has so many pays or cancels one before the next.',
      },
      shop_hourly_orders: {
        label: 'Orders of one network, in an hour',
        hint: 'An office or a mobile network can have one address for many people.',
      },
      shop_hold_hours: {
        label: 'Hold units for an unpaid order, in hours',
        hint: 'Then it is cancelled. An uploaded receipt stops this clock.',
      },
      shop_receipt_days: {
        label: 'Cancel orders with an unreviewed receipt after, in days',
        hint: 'Anybody can upload a picture. 0: never.',
      },
      affiliate_link_days: {
        label: 'A visit by a link counts for, in days',
        hint: 'An order in this time counts for the affiliate whose link it was.',
      },
      affiliate_coupon_status: {
        label: 'Coupons that affiliates make',
        hint: 'Whether they work at once.',
      },
    },
    affiliateCoupons: {
      statuses: { 'need-approve': 'wait for approval', active: 'work at once' },
    },
    taxes:
      'Each product has its own tax: its rate, the countries it is due in, and whether the price includes it. There is none for the whole store.',
    checkout:
      'At the checkout anybody can type any e-mail address. These limits keep your goods free for others.',
    holds:
      'How long a commission is held before it can be paid out, and how much it is, stands with each product.',
    accounts: {
      lead: 'Buyers transfer to them and see all four lines. Taking one away changes nothing for orders that are paid.',
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
      answered: 'It answered and takes the credentials.',
      problem: (code: string) => `It did not answer as it should: ${code}.`,
    },
    senders: {
      states: { on: 'On', off: 'Off', broken: 'Not working' },
      by: (name: string) => `Sent by ${name}.`,
      queued: (n: number) => `${plural(n, 'message waits', 'messages wait')}.`,
      problem: (code: string) => `The sender refuses: ${code}. Tried every five minutes, since`,
      lacks: {
        email:
          'Buyers are told nothing by e-mail. Whoever runs the service switches it on with: MAIL_FROM, RESEND_API_KEY.',
        whatsapp:
          'Whoever runs the service switches it on with: FONNTE_TOKEN, or the WHATSAPP_ variables.',
        sms: 'Goes through a service of your own: REMINDER_URL, REMINDER_SECRET.',
      },
      test: 'Send a test',
      testOf: (medium: string) => `Send a test by ${medium}`,
      testText: 'Sends the welcome message with an invented buyer.',
      recipient: { email: 'E-mail address', whatsapp: 'WhatsApp number' },
      send: 'Send',
      underWay: 'On its way…',
      accepted: 'The sender took it. Look into the mailbox.',
      failed: (code: string) => `It could not be sent: ${code}.`,
      done: 'Done',
    },
    looks: {
      lead: 'Kept in this browser alone; nobody else sees the console differently.',
      language: 'Language',
      languageHint: 'Of the console, not of messages.',
      asAccount: 'As the account',
      theme: 'Appearance',
      themeHint: 'Light letters on dark spare the eyes at night.',
      system: 'As the system',
      light: 'Light',
      dark: 'Dark',
      keys: 'Single-key shortcuts',
      keysHint: 'Off while you type. ? lists them.',
    },
  },
  id: {
    title: 'Pengaturan',
    lead: 'Yang berlaku untuk seluruh toko. Hanya administrator yang melihatnya.',
    saved: 'Pengaturan disimpan',
    choose: 'Pilih',
    noCountry: 'Tidak ada',
    fixed: 'Tetap sejak pesanan pertama: angka dan hari akan berubah arti.',
    noAmount: 'Isi jumlah, misalnya 150000.',
    parts: {
      store: 'Toko',
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
      taxes: 'Pajak',
      affiliates: 'Afiliasi dan penahanan',
      checkout: 'Checkout toko',
      looks: 'Tampilan konsol ini',
    },
    fields: {
      store_name: { label: 'Nama', hint: 'Pembeli melihatnya di pesan dan halaman pembayaran.' },
      language: { label: 'Bahasa', hint: 'Bahasa pesan untuk orang yang tidak memilih.' },
      currency: {
        label: 'Mata uang',
        hint: 'Semua harga memakainya. Tanpa ini tidak ada yang bisa dijual; pesanan pertama menetapkannya.',
      },
      timezone: {
        label: 'Zona waktu',
        hint: 'Hari di angka dan filter mulai dan berakhir menurutnya. Pesanan pertama menetapkannya.',
      },
      country: {
        label: 'Negara',
        hint: 'Nomor telepon tanpa kode negara dibaca sebagai nomor negara ini.',
      },
      invoice_prefix: {
        label: 'Nomor pesanan diawali',
        hint: 'Pesanan baru bernomor seperti INV-000118. Huruf, angka, / _ dan -.',
      },
      site_url: {
        label: 'Situs',
        hint: 'Tautan afiliasi menuju ke sana, dan pembeli kembali ke sana dari halaman pembayaran.',
      },
      notification_email: {
        label: 'Email untuk pemberitahuan',
        hint: 'Tempat Anda diberi tahu pesanan baru, bukti bayar, dan sejenisnya. Kosong: tidak ada.',
      },
      notification_phone: {
        label: 'Nomor WhatsApp untuk pemberitahuan',
        hint: 'Sama lewat WhatsApp: dengan kode negara, atau nomor negara Anda.',
      },
      session_ttl: {
        label: 'Lama masuk anggota, dalam detik',
        hint: 'Berapa lama sesi yang diberikan ke aplikasi Anda berlaku: 3600 adalah satu jam.',
      },
      platform_name: {
        label: 'Nama aplikasi',
        hint: 'Penyedia sesi anggota yang tidak menyebutkannya.',
      },
      unique_code: {
        label: 'Kode unik di transfer',
        hint: 'Kode kecil mengubah tiap total, sehingga tiap transfer bisa dibedakan.',
        operation: 'Kode itu',
        operations: { added: 'ditambahkan ke total', reduced: 'dikurangi dari total' },
        largest: 'Kode terbesar',
        largestHint:
          'Dalam satuan terkecil mata uang, 999 sampai 9999. Makin banyak kode, makin banyak pesanan terbuka.',
      },
      auto_cancel_days: {
        label: 'Batalkan pesanan belum dibayar setelah, dalam hari',
        hint: '0: tidak pernah. Stok dan kupon pesanan yang dibatalkan bebas lagi.',
      },
      transfer_hold_days: {
        label: 'Simpan jumlah transfer yang dibatalkan, dalam hari',
        hint: 'Selama itu tidak ada pesanan lain dengan jumlah sama, kalau uangnya masih datang.',
      },
      restock_on_refund: {
        label: 'Kembalikan unit ke stok',
        hint: 'Ketika pesanan dikembalikan penuh.',
      },
      refund_sign_in_above: {
        label: 'Minta kode di atas',
        hint: 'Pengembalian dengan jumlah lebih dari ini perlu masuk ulang ke konsol. 0: setiap pengembalian.',
      },
      mail_layout: {
        label: 'HTML di sekitar teks',
        hint: '{{content}} ada satu kali di tempat teks; {{store-name}}, {{store-url}} dan {{unsubscribe-url}} diisi. Kosong: tampilan polos bawaan layanan.',
      },
      access_statuses: {
        label: 'Pembeli punya akses selama pesanan yang dibayar berstatus',
        hint: 'Pesanan yang selesai selalu memberi akses.',
      },
      permanent_affiliate: {
        label: 'Pembeli tetap milik sponsornya',
        hint: 'Pesanannya dihitung untuk sponsor sebelum afiliasi lain.',
      },
      velocity_orders: {
        label: 'Pesanan satu pembeli lewat satu afiliasi, lalu risiko',
        hint: '0: tidak pernah. Komisi pesanan berikutnya ditahan sampai Anda memutuskan.',
      },
      velocity_hours: { label: 'Dalam waktu, jam', hint: 'Waktu saat pesanan ini dihitung.' },
      affiliate_sign_up: {
        label: 'Anggota boleh menjadi afiliasi',
        hint: 'Lewat tombol di halaman akun mereka.',
      },
      shop_unpaid_orders: {
        label: 'Pesanan belum dibayar per alamat e-mail',
        hint: 'Jika sudah sebanyak itu, bayar atau batalkan satu sebelum memesan lagi.',
      },
      shop_hourly_orders: {
        label: 'Pesanan per jaringan, tiap jam',
        hint: 'Kantor atau jaringan seluler bisa memakai satu alamat untuk banyak orang.',
      },
      shop_hold_hours: {
        label: 'Tahan stok untuk pesanan belum dibayar, jam',
        hint: 'Setelah itu pesanan dibatalkan. Bukti yang diunggah menghentikan hitungan ini.',
      },
      shop_receipt_days: {
        label: 'Batalkan pesanan dengan bukti yang belum ditinjau setelah, hari',
        hint: 'Siapa pun bisa mengunggah gambar. 0: tidak pernah.',
      },
      affiliate_link_days: {
        label: 'Kunjungan lewat tautan berlaku, dalam hari',
        hint: 'Pesanan dalam waktu itu dihitung untuk afiliasi pemilik tautan.',
      },
      affiliate_coupon_status: {
        label: 'Kupon yang dibuat afiliasi',
        hint: 'Apakah langsung berlaku.',
      },
    },
    affiliateCoupons: {
      statuses: { 'need-approve': 'menunggu persetujuan', active: 'langsung berlaku' },
    },
    taxes:
      'Tiap produk punya pajaknya sendiri: tarif, negara tempat berlaku, dan apakah harga sudah termasuk. Tidak ada pajak untuk seluruh toko.',
    checkout:
      'Di checkout siapa pun bisa mengetik alamat e-mail apa pun. Batas ini menjaga barang Anda untuk pembeli lain.',
    holds:
      'Berapa lama komisi ditahan sebelum bisa dibayarkan, dan berapa besarnya, ada di tiap produk.',
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
      answered: 'Menjawab dan menerima kredensialnya.',
      problem: (code: string) => `Tidak menjawab sebagaimana mestinya: ${code}.`,
    },
    senders: {
      states: { on: 'Aktif', off: 'Mati', broken: 'Tidak berfungsi' },
      by: (name: string) => `Dikirim oleh ${name}.`,
      queued: (n: number) => `${n} pesan menunggu.`,
      problem: (code: string) => `Pengirim menolak: ${code}. Dicoba tiap lima menit, sejak`,
      lacks: {
        email:
          'Pembeli tidak diberi tahu lewat email. Yang menjalankan layanan mengaktifkannya dengan: MAIL_FROM, RESEND_API_KEY.',
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
      accepted: 'Pengirim menerimanya. Lihat kotak masuk.',
      failed: (code: string) => `Tidak dapat dikirim: ${code}.`,
      done: 'Selesai',
    },
    looks: {
      lead: 'Disimpan di peramban ini saja; orang lain tidak melihat perubahan.',
      language: 'Bahasa',
      languageHint: 'Bahasa konsol, bukan pesan.',
      asAccount: 'Mengikuti akun',
      theme: 'Tampilan',
      themeHint: 'Huruf terang di latar gelap nyaman di malam hari.',
      system: 'Mengikuti sistem',
      light: 'Terang',
      dark: 'Gelap',
      keys: 'Pintasan satu tombol',
      keysHint: 'Tidak aktif selama Anda mengetik. ? menampilkan daftarnya.',
    },
  },
});
