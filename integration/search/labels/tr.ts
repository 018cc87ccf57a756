import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Sor',
  askAbout: 'Bunun hakkında sor',
  skipToContent: 'İçeriğe geç',
  onThisPage: 'Bu sayfada',
  previous: 'Önceki',
  next: 'Sonraki',
  menu: 'Menü',
  mainNavigation: 'Ana gezinme',
  sidebarNavigation: 'Sayfalar',
  allPages: '{name}: tüm sayfalar',
  breadcrumbs: 'Gezinme yolu',
  language: 'Dil',
  version: 'Sürüm',
  theme: 'Tema',
  themeSystem: 'Sistem',
  themeLight: 'Açık',
  themeDark: 'Koyu',
  copy: 'Kopyala',
  expand: 'Genişlet',
  deprecated: 'Kullanımdan kaldırıldı',
  notFoundTitle: 'Sayfa bulunamadı',
  notFoundText: 'Bu adreste bir sayfa yok.',
  home: 'Ana sayfa',
  lastUpdated: 'Son güncelleme',
  dismiss: 'Gizle',
  viewMarkdown: 'Markdown olarak görüntüle',
  opensOtherSite: 'Başka bir site açar',
};

export const search: Labels['search'] = {
  search: 'Ara',
  searchPlaceholder: 'Belgelerde ara',
  searchNoResults: '“{query}” için sonuç bulunamadı',
  searchResults: '{count} sonuç',
  searchRecent: 'Son aramalar',
  searchOtherVersions: 'Diğer sürümlerde ara',
  searchClear: 'Son aramaları temizle',
  searchFailed: 'Arama yüklenemedi. Sayfayı yeniden yükleyin.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Kapat',
  askTitle: 'Belgelere sor',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Bir soru sorun',
  askSend: 'Gönder',
  askStop: 'Durdur',
  askRetry: 'Yeniden dene',
  askCopy: 'Yanıtı kopyala',
  askCopied: 'Kopyalandı',
  askNew: 'Yeni konuşma',
  askHistory: 'Önceki konuşmalar',
  askHistoryEmpty: 'Henüz sohbet yok.',
  askHistoryClear: 'Tüm konuşmaları sil',
  askYou: 'Siz',
  askAnswer: 'Yanıt',
  askSources: 'Kaynaklar',
  askSource: 'Kaynak {number}: {title}',
  askThisPage: 'Bu sayfa',
  askSelection: 'Seçili metin',
  askCode: 'Kod',
  askRemove: '“{name}” öğesini kaldır',
  askAboutHeading: '“{heading}” hakkında ne var?',
  askQuotesNotice: 'Yanıtlar bu belgelerden alıntılardır. Hiçbir modele sorulmaz ve hiçbir şey bu cihazdan çıkmaz.',
  askModelNotice: 'Bir dil modeli bu belgelere dayanarak yanıt verir. Yanılabilir: kaynakları kontrol edin.',
  askSearching: 'Belgelerde aranıyor…',
  askDone: 'Yanıt tamamlandı.',
  askStopped: 'Durduruldu.',
  askFailed: 'Yanıt başarısız oldu.',
  askCutOff: 'Yanıt çok erken bitti.',
  askLost: 'Asistana ulaşılamıyor.',
  askBusy: 'Asistana şu anda çok fazla soru soruluyor. {seconds} saniye sonra yeniden deneyin.',
  askQuoteInstead: 'Bunun yerine belgelerden alıntıla',
  askGood: 'İyi yanıt',
  askBad: 'Kötü yanıt',
  askComment: 'İyi veya kötü olan neydi?',
  askSendComment: 'Yorumu gönder',
  askThanks: 'Teşekkürler.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Belgelerden:',
  answerNone: 'Belgeler buna yanıt vermiyor.',
  answerNearest: 'Konuya en yakın sayfalar:',
};

export const server: Labels['server'] = {
  cutOff: 'Yanıt sona ermeden kesildi. Tekrar sorun.',
  failed: 'Soru şu anda yanıtlanamadı. Birazdan tekrar sorun.',
  notThere: 'Yanıtlamak için {asked} belgeleri yok.',
  known: 'Belgeleri olanlar: {known}.',
};
