import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Tanya',
  askAbout: 'Tanyakan tentang ini',
  skipToContent: 'Lewati ke konten',
  onThisPage: 'Di halaman ini',
  previous: 'Sebelumnya',
  next: 'Berikutnya',
  menu: 'Menu',
  mainNavigation: 'Navigasi utama',
  sidebarNavigation: 'Halaman',
  allPages: 'Semua halaman {name}',
  breadcrumbs: 'Jalur navigasi',
  language: 'Bahasa',
  version: 'Versi',
  theme: 'Tema',
  themeSystem: 'Sistem',
  themeLight: 'Terang',
  themeDark: 'Gelap',
  copy: 'Salin',
  expand: 'Perluas',
  deprecated: 'Usang',
  notFoundTitle: 'Halaman tidak ditemukan',
  notFoundText: 'Tidak ada halaman di alamat ini.',
  home: 'Beranda',
  lastUpdated: 'Terakhir diperbarui',
  dismiss: 'Sembunyikan',
  viewMarkdown: 'Lihat sebagai Markdown',
  opensOtherSite: 'Membuka situs lain',
};

export const search: Labels['search'] = {
  search: 'Cari',
  searchPlaceholder: 'Cari di dokumentasi',
  searchNoResults: 'Tidak ada hasil untuk “{query}”',
  searchResults: '{count} hasil',
  searchRecent: 'Pencarian terbaru',
  searchOtherVersions: 'Cari di versi lain',
  searchClear: 'Hapus pencarian terbaru',
  searchFailed: 'Pencarian tidak dapat dimuat. Muat ulang halaman.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Tutup',
  askTitle: 'Tanya dokumentasi',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Ajukan pertanyaan',
  askSend: 'Kirim',
  askStop: 'Hentikan',
  askRetry: 'Coba lagi',
  askCopy: 'Salin jawaban',
  askCopied: 'Tersalin',
  askNew: 'Percakapan baru',
  askHistory: 'Percakapan sebelumnya',
  askHistoryEmpty: 'Belum ada percakapan.',
  askHistoryClear: 'Hapus semua percakapan',
  askYou: 'Anda',
  askAnswer: 'Jawaban',
  askSources: 'Sumber',
  askSource: 'Sumber {number}: {title}',
  askThisPage: 'Halaman ini',
  askSelection: 'Teks terpilih',
  askCode: 'Kode',
  askRemove: 'Hapus “{name}”',
  askAboutHeading: 'Bagaimana dengan “{heading}”?',
  askQuotesNotice:
    'Jawaban adalah kutipan dari dokumentasi ini. Tidak ada model yang ditanya, dan tidak ada yang keluar dari perangkat ini.',
  askModelNotice: 'Model bahasa menjawab dari dokumentasi ini. Model dapat keliru: periksa sumbernya.',
  askSearching: 'Mencari di dokumentasi…',
  askDone: 'Jawaban lengkap.',
  askStopped: 'Dihentikan.',
  askFailed: 'Jawaban gagal.',
  askCutOff: 'Jawaban berakhir terlalu cepat.',
  askLost: 'Asisten tidak dapat dihubungi.',
  askBusy: 'Asisten sedang terlalu banyak ditanya. Coba lagi dalam {seconds} detik.',
  askQuoteInstead: 'Kutip dokumentasi saja',
  askGood: 'Jawaban baik',
  askBad: 'Jawaban buruk',
  askComment: 'Apa yang baik atau buruk?',
  askSendComment: 'Kirim komentar',
  askThanks: 'Terima kasih.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Dari dokumentasi:',
  answerNone: 'Dokumentasi tidak menjawab hal ini.',
  answerNearest: 'Halaman yang paling mendekati:',
};

export const server: Labels['server'] = {
  cutOff: 'Jawaban terputus sebelum selesai. Tanyakan lagi.',
  failed: 'Pertanyaan tidak dapat dijawab sekarang. Tanyakan lagi sebentar lagi.',
  notThere: 'Tidak ada dokumentasi {asked} untuk menjawab.',
  known: 'Ada dokumentasi untuk: {known}.',
};
