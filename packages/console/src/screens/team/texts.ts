import { catalogue, plural } from '../../texts/texts.ts';

export const texts = catalogue({
  en: {
    builtIn: {
      Orders: 'Orders',
      Affiliates: 'Affiliates',
      Support: 'Support',
      Accounting: 'Accounting',
      'Shop manager': 'Shop manager',
    },
    title: 'Team',
    lead: 'Who may sign in here, and what each role allows.',
    people: 'People',
    roles: 'Roles',
    invite: 'Add somebody',
    inviteLead:
      'They get a link by e-mail that signs them in. They need nothing but their mailbox.',
    inviteUnsent:
      'No sender of e-mail is set up, so they get no link. Whoever runs the service can make one for them.',
    emailHint: 'If somebody here has this address already, they get the role.',
    nameHint: 'For a new person. The history shows this name.',
    roleHint: 'What they may do here.',
    choose: 'Choose',
    columns: {
      name: 'Name',
      role: 'Role',
      email: 'E-mail',
      status: 'State',
      users: 'People',
    },
    blocked: 'Blocked',
    administrator: 'Administrator',
    noRole: 'No role',
    may: 'Permissions',
    everything: 'Everything',
    administratorMay:
      'An administrator may do everything here, settings, keys and the team included.',
    changeRole: 'Change role',
    give: 'Give this role',
    take: 'Remove the role',
    takes: 'They may not sign in here any more. Their account as a buyer stays.',
    worksAtOnce: (name: string) => `It applies to ${name} from the next request on.`,
    changed: (name: string) => `The role of ${name} is changed`,
    sendLink: 'Send a sign-in link',
    linkUnsent:
      'No sender of e-mail is set up, so no link can be sent. Whoever runs the service can make one.',
    linkText: (email: string) => `A link goes to ${email}. It signs in once, for ten minutes.`,
    linkSent: (email: string) => `A link is on its way to ${email}`,
    send: 'Send',
    noSessions: 'Not signed in anywhere.',
    endSessions: 'End all',
    sessionsEnded: (name: string) => `${name} is signed out everywhere`,
    newRole: 'Create role',
    roleName: 'Name',
    roleNameHint: 'What people with this role do.',
    roleLead: (users: number) =>
      users === 0
        ? 'Nobody has this role.'
        : `${plural(users, 'person has', 'people have')} this role. A change applies from their next request on.`,
    roleSaved: (name: string) => `The role ${name} is saved`,
    deleteRole: 'Delete role',
    deleteText: (name: string) =>
      `The role ${name} can be deleted once nobody has it. This can’t be undone.`,
    roleDeleted: (name: string) => `The role ${name} is deleted`,
    gone: 'There is no such role any more.',
  },
  id: {
    builtIn: {
      Orders: 'Pesanan',
      Affiliates: 'Afiliasi',
      Support: 'Layanan pelanggan',
      Accounting: 'Akuntansi',
      'Shop manager': 'Manajer toko',
    },
    title: 'Tim',
    lead: 'Siapa yang boleh masuk ke sini, dan apa yang diizinkan tiap peran.',
    people: 'Orang',
    roles: 'Peran',
    invite: 'Tambah orang',
    inviteLead: 'Mereka mendapat tautan lewat email untuk masuk. Cukup kotak masuk mereka.',
    inviteUnsent:
      'Belum ada pengirim email, jadi mereka tidak mendapat tautan. Yang menjalankan layanan dapat membuatnya.',
    emailHint: 'Jika sudah ada yang memakai alamat ini, orang itu mendapat perannya.',
    nameHint: 'Untuk orang baru. Nama ini ada di riwayat tindakannya.',
    roleHint: 'Yang boleh mereka lakukan di sini.',
    choose: 'Pilih',
    columns: {
      name: 'Nama',
      role: 'Peran',
      email: 'Email',
      status: 'Status',
      users: 'Orang',
    },
    blocked: 'Diblokir',
    administrator: 'Administrator',
    noRole: 'Tanpa peran',
    may: 'Izin',
    everything: 'Semuanya',
    administratorMay:
      'Administrator boleh melakukan semuanya di sini, termasuk pengaturan, kunci, dan tim.',
    changeRole: 'Ganti peran',
    give: 'Beri peran ini',
    take: 'Ambil perannya',
    takes: 'Ia tidak boleh masuk ke sini lagi. Akunnya sebagai pembeli tetap ada.',
    worksAtOnce: (name: string) => `Berlaku untuk ${name} mulai permintaan berikutnya.`,
    changed: (name: string) => `Peran ${name} diganti`,
    sendLink: 'Kirim tautan masuk',
    linkUnsent:
      'Belum ada pengirim email, jadi tautan tidak dapat dikirim. Yang menjalankan layanan dapat membuatnya.',
    linkText: (email: string) =>
      `Tautan dikirim ke ${email}. Berlaku sekali, selama sepuluh menit.`,
    linkSent: (email: string) => `Tautan sedang dikirim ke ${email}`,
    send: 'Kirim',
    noSessions: 'Tidak masuk di mana pun.',
    endSessions: 'Akhiri semua',
    sessionsEnded: (name: string) => `${name} keluar dari semua tempat`,
    newRole: 'Buat peran',
    roleName: 'Nama',
    roleNameHint: 'Yang dikerjakan orang dengan peran ini.',
    roleLead: (users: number) =>
      users === 0
        ? 'Belum ada yang punya peran ini.'
        : `${users} orang punya peran ini. Perubahan berlaku mulai permintaan mereka berikutnya.`,
    roleSaved: (name: string) => `Peran ${name} disimpan`,
    deleteRole: 'Hapus peran',
    deleteText: (name: string) =>
      `Peran ${name} akan hilang. Tidak bisa dihapus selama masih ada yang punya.`,
    roleDeleted: (name: string) => `Peran ${name} dihapus`,
    gone: 'Peran ini sudah tidak ada.',
  },
});
