import { catalogue, plural } from '../../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Home',
    toDo: 'To do',
    nothing: 'Nothing waits for you.',
    jobs: {
      confirmations: (n: number) =>
        plural(n, 'payment proof to review', 'payment proofs to review'),
      inProgress: (n: number) =>
        plural(n, 'order to send or complete', 'orders to send or complete'),
      risks: (n: number) => plural(n, 'affiliate risk to decide', 'affiliate risks to decide'),
      oldest: (when: string) => `oldest: ${when}`,
      failing: (n: number) => plural(n, 'webhook is failing', 'webhooks are failing'),
      paused: (n: number) => plural(n, 'webhook is paused', 'webhooks are paused'),
      unexpected: (n: number) =>
        plural(n, 'unexpected payment to decide', 'unexpected payments to decide'),
      refunds: (n: number) =>
        plural(n, 'failed refund to pay back by hand', 'failed refunds to pay back by hand'),
      refundsByHand: (n: number) => plural(n, 'refund to send', 'refunds to send'),
      lastDays: 'of the last 7 days, paid by no provider',
      withoutCode: (n: number) =>
        `${plural(n, 'order waits', 'orders wait')} for a transfer without a unique code: none was free`,
      mutations: (n: number) =>
        plural(n, 'bank entry without an order', 'bank entries without an order'),
      payouts: (sum: string) => `${sum} in commissions due to affiliates`,
      messages: (n: number) => plural(n, 'message could not be sent', 'messages could not be sent'),
      reminders: (n: number) =>
        plural(n, 'reminder could not be sent', 'reminders could not be sent'),
    },
    periods: {
      today: 'Today',
      yesterday: 'Yesterday',
      this_month: 'This month',
      all: 'All time',
    },
    orders: (sales: number, lead: number) =>
      lead === 0
        ? 'no orders'
        : `${plural(sales, 'sale', 'sales')} from ${plural(lead, 'order', 'orders')}`,
    change: (percent: string, than: string) => `${percent} ${than}`,
    than: { yesterday: 'vs the day before', this_month: 'vs the same days last month' },
    same: 'as much as before',
    firstTime: 'nothing to compare with yet',
    days: 'Revenue of the last 30 days',
    orderDays: 'Orders of the last 30 days',
    revenue: 'Revenue',
    orderCount: 'Orders',
    sold: 'Sold',
    open: 'Not sold',
    show: 'Show',
    newest: 'Newest orders',
    allOrders: 'All orders',
    columns: { order: 'Order', status: 'Status', buyer: 'Buyer', total: 'Total', placed: 'Placed' },
    products: 'Top products',
    affiliates: 'Top affiliates',
    name: 'Name',
    last30: 'Last 30 days',
    noFigures:
      'Only roles that read orders see figures. The navigation shows what your role may see.',
    missing: {
      title: 'The store still lacks',
      needs: {
        currency: { name: 'A currency', text: 'Nothing can be sold without one.' },
        payment: { name: 'A way to pay', text: 'A bank account, or a payment provider.' },
        sender: { name: 'A sender of messages', text: 'Until then buyers get no messages.' },
        product: { name: 'A product', text: 'None is published yet.' },
      },
    },
    firstProduct: {
      title: 'The first product',
      text: 'Make it here, by API, or bring the products of another shop with an import.',
      make: 'Make a product',
    },
    empty: {
      title: 'No orders yet',
      text: 'Figures and open tasks appear here as soon as somebody buys. Send the address of a product to somebody, or place a first order by API.',
      products: 'Go to Products',
    },
  },
  id: {
    title: 'Beranda',
    toDo: 'Yang menunggu',
    nothing: 'Tidak ada yang menunggu Anda.',
    jobs: {
      confirmations: (n: number) => `${n} bukti bayar untuk diperiksa`,
      inProgress: (n: number) => `${n} pesanan untuk dikirim atau diselesaikan`,
      risks: (n: number) => `${n} risiko afiliasi untuk diputuskan`,
      oldest: (when: string) => `terlama: ${when}`,
      failing: (n: number) => `${n} webhook gagal`,
      paused: (n: number) => `${n} webhook dijeda`,
      unexpected: (n: number) => `${n} pembayaran tak terduga untuk diputuskan`,
      refunds: (n: number) => `${n} pengembalian gagal, kembalikan secara manual`,
      refundsByHand: (n: number) => `${n} pengembalian untuk dikirim`,
      lastDays: 'dari 7 hari terakhir, tanpa penyedia',
      withoutCode: (n: number) =>
        `${n} pesanan menunggu transfer tanpa kode unik: tidak ada yang tersisa`,
      mutations: (n: number) => `${n} mutasi bank tanpa pesanan`,
      payouts: (sum: string) => `Komisi ${sum} perlu dibayarkan ke afiliasi`,
      messages: (n: number) => `${n} pesan tidak terkirim`,
      reminders: (n: number) => `${n} pengingat tidak terkirim`,
    },
    periods: {
      today: 'Hari ini',
      yesterday: 'Kemarin',
      this_month: 'Bulan ini',
      all: 'Seluruhnya',
    },
    orders: (sales: number, lead: number) =>
      lead === 0 ? 'tidak ada pesanan' : `${sales} penjualan dari ${lead} pesanan`,
    change: (percent: string, than: string) => `${percent} ${than}`,
    than: {
      yesterday: 'dibanding hari sebelumnya',
      this_month: 'dibanding tanggal yang sama bulan lalu',
    },
    same: 'sama seperti sebelumnya',
    firstTime: 'belum ada pembanding',
    days: 'Pendapatan 30 hari terakhir',
    orderDays: 'Pesanan 30 hari terakhir',
    revenue: 'Pendapatan',
    orderCount: 'Pesanan',
    sold: 'Terjual',
    open: 'Belum terjual',
    show: 'Tampilkan',
    newest: 'Pesanan terbaru',
    allOrders: 'Semua pesanan',
    columns: {
      order: 'Pesanan',
      status: 'Status',
      buyer: 'Pembeli',
      total: 'Total',
      placed: 'Dipesan',
    },
    products: 'Produk teratas',
    affiliates: 'Afiliasi teratas',
    name: 'Nama',
    last30: '30 hari terakhir',
    noFigures: 'Angka untuk peran yang membaca pesanan. Yang boleh Anda lihat ada di navigasi.',
    missing: {
      title: 'Toko masih kekurangan',
      needs: {
        currency: { name: 'Mata uang', text: 'Tanpa ini tidak ada yang bisa dijual.' },
        payment: { name: 'Cara bayar', text: 'Rekening bank, atau penyedia pembayaran.' },
        sender: { name: 'Pengirim pesan', text: 'Sebelum itu pembeli tidak diberi tahu apa pun.' },
        product: { name: 'Produk', text: 'Belum ada yang diterbitkan.' },
      },
    },
    firstProduct: {
      title: 'Produk pertama',
      text: 'Buat di sini, lewat API, atau bawa produk toko lain dengan impor.',
      make: 'Buat produk',
    },
    empty: {
      title: 'Belum ada pesanan',
      text: 'Angka dan yang menunggu tampil di sini begitu ada yang membeli. Kirim alamat produk kepada seseorang, atau buat pesanan pertama lewat API.',
      products: 'Ke Produk',
    },
  },
});
