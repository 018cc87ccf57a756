import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'पूछें',
  askAbout: 'इसके बारे में पूछें',
  skipToContent: 'मुख्य सामग्री पर जाएँ',
  onThisPage: 'इस पृष्ठ पर',
  previous: 'पिछला',
  next: 'अगला',
  menu: 'मेनू',
  mainNavigation: 'मुख्य नेविगेशन',
  sidebarNavigation: 'पृष्ठ',
  allPages: '{name} के सभी पेज',
  breadcrumbs: 'नेविगेशन पथ',
  language: 'भाषा',
  version: 'संस्करण',
  theme: 'थीम',
  themeSystem: 'सिस्टम',
  themeLight: 'हल्का',
  themeDark: 'गहरा',
  copy: 'कॉपी करें',
  expand: 'विस्तृत करें',
  deprecated: 'अप्रचलित',
  notFoundTitle: 'पृष्ठ नहीं मिला',
  notFoundText: 'इस पते पर कोई पृष्ठ नहीं है।',
  home: 'मुखपृष्ठ',
  lastUpdated: 'अंतिम अद्यतन',
  dismiss: 'हटाएँ',
  viewMarkdown: 'Markdown के रूप में देखें',
  opensOtherSite: 'दूसरी साइट खोलता है',
};

export const search: Labels['search'] = {
  search: 'खोजें',
  searchPlaceholder: 'दस्तावेज़ में खोजें',
  searchNoResults: '“{query}” के लिए कुछ नहीं मिला',
  searchResults: '{count} परिणाम',
  searchRecent: 'हाल की खोजें',
  searchOtherVersions: 'अन्य संस्करणों में खोजें',
  searchClear: 'हाल की खोजें मिटाएँ',
  searchFailed: 'खोज लोड नहीं हो सकी। पृष्ठ फिर से लोड करें।',
};

export const dialogs: Labels['dialogs'] = {
  close: 'बंद करें',
  askTitle: 'दस्तावेज़ से पूछें',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'प्रश्न पूछें',
  askSend: 'भेजें',
  askStop: 'रोकें',
  askRetry: 'फिर से प्रयास करें',
  askCopy: 'उत्तर कॉपी करें',
  askCopied: 'कॉपी हो गया',
  askNew: 'नई बातचीत',
  askHistory: 'पिछली बातचीत',
  askHistoryEmpty: 'अभी तक कोई बातचीत नहीं।',
  askHistoryClear: 'सभी बातचीत मिटाएँ',
  askYou: 'आप',
  askAnswer: 'उत्तर',
  askSources: 'स्रोत',
  askSource: 'स्रोत {number}: {title}',
  askThisPage: 'यह पृष्ठ',
  askSelection: 'चुना हुआ पाठ',
  askCode: 'कोड',
  askRemove: '“{name}” हटाएँ',
  askAboutHeading: '“{heading}” के बारे में क्या?',
  askQuotesNotice: 'उत्तर इन दस्तावेज़ों के उद्धरण हैं। किसी मॉडल से नहीं पूछा जाता, और कुछ भी इस उपकरण से बाहर नहीं जाता।',
  askModelNotice: 'एक भाषा मॉडल इन दस्तावेज़ों से उत्तर देता है। वह ग़लत हो सकता है: स्रोत जाँचें।',
  askSearching: 'दस्तावेज़ों में खोज रहे हैं…',
  askDone: 'उत्तर पूरा है।',
  askStopped: 'रोका गया।',
  askFailed: 'उत्तर विफल रहा।',
  askCutOff: 'उत्तर समय से पहले समाप्त हो गया।',
  askLost: 'सहायक तक नहीं पहुँचा जा सका।',
  askBusy: 'अभी बहुत अधिक प्रश्न पूछे जा रहे हैं। {seconds} सेकंड बाद फिर प्रयास करें।',
  askQuoteInstead: 'इसके बजाय दस्तावेज़ उद्धृत करें',
  askGood: 'अच्छा उत्तर',
  askBad: 'ख़राब उत्तर',
  askComment: 'इसमें क्या अच्छा या ख़राब था?',
  askSendComment: 'टिप्पणी भेजें',
  askThanks: 'धन्यवाद।',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'दस्तावेज़ से:',
  answerNone: 'दस्तावेज़ में इसका उत्तर नहीं है।',
  answerNearest: 'ये पृष्ठ सबसे निकट हैं:',
};

export const server: Labels['server'] = {
  cutOff: 'उत्तर पूरा होने से पहले ही रुक गया। फिर से पूछें।',
  failed: 'अभी प्रश्न का उत्तर नहीं दिया जा सका। थोड़ी देर में फिर से पूछें।',
  notThere: 'उत्तर देने के लिए {asked} के कोई दस्तावेज़ नहीं हैं।',
  known: 'इनके दस्तावेज़ हैं: {known}।',
};
