import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'اسأل',
  askAbout: 'اسأل عن هذا',
  skipToContent: 'انتقل إلى المحتوى',
  onThisPage: 'في هذه الصفحة',
  previous: 'السابق',
  next: 'التالي',
  menu: 'القائمة',
  mainNavigation: 'التنقل الرئيسي',
  sidebarNavigation: 'الصفحات',
  allPages: 'كل صفحات {name}',
  breadcrumbs: 'مسار التنقل',
  language: 'اللغة',
  version: 'الإصدار',
  theme: 'المظهر',
  themeSystem: 'النظام',
  themeLight: 'فاتح',
  themeDark: 'داكن',
  copy: 'نسخ',
  expand: 'توسيع',
  deprecated: 'مهمل',
  notFoundTitle: 'الصفحة غير موجودة',
  notFoundText: 'لا توجد صفحة في هذا العنوان.',
  home: 'الرئيسية',
  lastUpdated: 'آخر تحديث',
  dismiss: 'إخفاء',
  viewMarkdown: 'عرض بصيغة Markdown',
  opensOtherSite: 'يفتح موقعًا آخر',
};

export const search: Labels['search'] = {
  search: 'بحث',
  searchPlaceholder: 'ابحث في الوثائق',
  searchNoResults: 'لا توجد نتائج عن «{query}»',
  searchResults: 'عدد النتائج: {count}',
  searchRecent: 'عمليات البحث الأخيرة',
  searchOtherVersions: 'البحث في الإصدارات الأخرى',
  searchClear: 'مسح عمليات البحث الأخيرة',
  searchFailed: 'تعذّر تحميل البحث. أعد تحميل الصفحة.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'إغلاق',
  askTitle: 'اسأل الوثائق',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'اطرح سؤالًا',
  askSend: 'إرسال',
  askStop: 'إيقاف',
  askRetry: 'حاول مرة أخرى',
  askCopy: 'نسخ الإجابة',
  askCopied: 'تم النسخ',
  askNew: 'محادثة جديدة',
  askHistory: 'المحادثات السابقة',
  askHistoryEmpty: 'لا توجد محادثات بعد.',
  askHistoryClear: 'حذف كل المحادثات',
  askYou: 'أنت',
  askAnswer: 'الإجابة',
  askSources: 'المصادر',
  askSource: 'المصدر {number}: {title}',
  askThisPage: 'هذه الصفحة',
  askSelection: 'النص المحدد',
  askCode: 'الشيفرة',
  askRemove: 'إزالة «{name}»',
  askAboutHeading: 'ماذا عن «{heading}»؟',
  askQuotesNotice: 'الإجابات اقتباسات من هذه الوثائق. لا يُسأل أي نموذج، ولا يغادر شيء هذا الجهاز.',
  askModelNotice: 'يجيب نموذج لغوي بناءً على هذه الوثائق، وقد يخطئ: تحقق من المصادر.',
  askSearching: 'جارٍ البحث في الوثائق…',
  askDone: 'اكتملت الإجابة.',
  askStopped: 'تم الإيقاف.',
  askFailed: 'تعذّرت الإجابة.',
  askCutOff: 'انتهت الإجابة قبل أوانها.',
  askLost: 'يتعذر الوصول إلى المساعد.',
  askBusy: 'الأسئلة كثيرة في الوقت الحالي. حاول مرة أخرى بعد {seconds} ثانية.',
  askQuoteInstead: 'اقتبس من الوثائق بدلًا من ذلك',
  askGood: 'إجابة جيدة',
  askBad: 'إجابة سيئة',
  askComment: 'ما الجيد أو السيئ فيها؟',
  askSendComment: 'إرسال التعليق',
  askThanks: 'شكرًا لك.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'من الوثائق:',
  answerNone: 'لا تجيب الوثائق عن هذا السؤال.',
  answerNearest: 'أقرب الصفحات إليه:',
};

export const server: Labels['server'] = {
  cutOff: 'انقطعت الإجابة قبل نهايتها. اسأل مرة أخرى.',
  failed: 'تعذّرت الإجابة عن السؤال الآن. اسأل مرة أخرى بعد قليل.',
  notThere: 'لا توجد وثائق لـ {asked} للإجابة منها.',
  known: 'توجد وثائق لـ: {known}.',
};
