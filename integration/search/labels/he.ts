import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'שאלה',
  askAbout: 'שאלה על זה',
  skipToContent: 'דילוג לתוכן',
  onThisPage: 'בעמוד זה',
  previous: 'הקודם',
  next: 'הבא',
  menu: 'תפריט',
  mainNavigation: 'ניווט ראשי',
  sidebarNavigation: 'עמודים',
  allPages: 'כל הדפים של {name}',
  breadcrumbs: 'נתיב ניווט',
  language: 'שפה',
  version: 'גרסה',
  theme: 'ערכת נושא',
  themeSystem: 'מערכת',
  themeLight: 'בהיר',
  themeDark: 'כהה',
  copy: 'העתקה',
  expand: 'הרחבה',
  deprecated: 'הוצא משימוש',
  notFoundTitle: 'העמוד לא נמצא',
  notFoundText: 'אין עמוד בכתובת זו.',
  home: 'דף הבית',
  lastUpdated: 'עודכן לאחרונה',
  dismiss: 'הסתרה',
  viewMarkdown: 'הצגה כ־Markdown',
  opensOtherSite: 'פותח אתר אחר',
};

export const search: Labels['search'] = {
  search: 'חיפוש',
  searchPlaceholder: 'חיפוש בתיעוד',
  searchNoResults: 'לא נמצאו תוצאות עבור „{query}”',
  searchResults: '{count} תוצאות',
  searchRecent: 'חיפושים אחרונים',
  searchOtherVersions: 'חיפוש בגרסאות אחרות',
  searchClear: 'ניקוי חיפושים אחרונים',
  searchFailed: 'לא ניתן היה לטעון את החיפוש. יש לטעון מחדש את הדף.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'סגירה',
  askTitle: 'שאלו את התיעוד',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'הקלידו שאלה',
  askSend: 'שליחה',
  askStop: 'עצירה',
  askRetry: 'ניסיון נוסף',
  askCopy: 'העתקת התשובה',
  askCopied: 'הועתק',
  askNew: 'שיחה חדשה',
  askHistory: 'שיחות קודמות',
  askHistoryEmpty: 'אין עדיין שיחות.',
  askHistoryClear: 'מחיקת כל השיחות',
  askYou: 'אתם',
  askAnswer: 'תשובה',
  askSources: 'מקורות',
  askSource: 'מקור {number}: {title}',
  askThisPage: 'הדף הזה',
  askSelection: 'טקסט מסומן',
  askCode: 'קוד',
  askRemove: 'הסרת „{name}”',
  askAboutHeading: 'מה לגבי „{heading}”?',
  askQuotesNotice: 'התשובות הן ציטוטים מהתיעוד. לא נשאל שום מודל, ודבר אינו יוצא מהמכשיר.',
  askModelNotice: 'מודל שפה עונה מתוך התיעוד. הוא עלול לטעות: בדקו את המקורות.',
  askSearching: 'מחפש בתיעוד…',
  askDone: 'התשובה הושלמה.',
  askStopped: 'נעצר.',
  askFailed: 'התשובה נכשלה.',
  askCutOff: 'התשובה הסתיימה מוקדם מדי.',
  askLost: 'לא ניתן להגיע אל העוזר.',
  askBusy: 'העוזר עמוס כרגע. נסו שוב בעוד {seconds} שניות.',
  askQuoteInstead: 'לצטט את התיעוד במקום זאת',
  askGood: 'תשובה טובה',
  askBad: 'תשובה לא טובה',
  askComment: 'מה היה טוב או לא טוב בה?',
  askSendComment: 'שליחת הערה',
  askThanks: 'תודה.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'מתוך התיעוד:',
  answerNone: 'התיעוד אינו עונה על כך.',
  answerNearest: 'הדפים הקרובים ביותר:',
};

export const server: Labels['server'] = {
  cutOff: 'התשובה נקטעה לפני סופה. שאלו שוב.',
  failed: 'לא ניתן היה לענות על השאלה כעת. שאלו שוב בעוד רגע.',
  notThere: 'אין תיעוד של {asked} לענות מתוכו.',
  known: 'יש תיעוד של: {known}.',
};
