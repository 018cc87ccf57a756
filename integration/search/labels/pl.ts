import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Zapytaj',
  askAbout: 'Zapytaj o to',
  skipToContent: 'Przejdź do treści',
  onThisPage: 'Na tej stronie',
  previous: 'Poprzednia',
  next: 'Następna',
  menu: 'Menu',
  mainNavigation: 'Nawigacja główna',
  sidebarNavigation: 'Strony',
  allPages: 'Wszystkie strony: {name}',
  breadcrumbs: 'Ścieżka nawigacji',
  language: 'Język',
  version: 'Wersja',
  theme: 'Motyw',
  themeSystem: 'Systemowy',
  themeLight: 'Jasny',
  themeDark: 'Ciemny',
  copy: 'Kopiuj',
  expand: 'Rozwiń',
  deprecated: 'Przestarzałe',
  notFoundTitle: 'Nie znaleziono strony',
  notFoundText: 'Pod tym adresem nie ma strony.',
  home: 'Strona główna',
  lastUpdated: 'Ostatnia aktualizacja',
  dismiss: 'Ukryj',
  viewMarkdown: 'Pokaż jako Markdown',
  opensOtherSite: 'Otwiera inną witrynę',
};

export const search: Labels['search'] = {
  search: 'Szukaj',
  searchPlaceholder: 'Szukaj w dokumentacji',
  searchNoResults: 'Brak wyników dla „{query}”',
  searchResults: 'Wyniki: {count}',
  searchRecent: 'Ostatnie wyszukiwania',
  searchOtherVersions: 'Szukaj w innych wersjach',
  searchClear: 'Wyczyść ostatnie wyszukiwania',
  searchFailed: 'Nie udało się wczytać wyszukiwania. Odśwież stronę.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Zamknij',
  askTitle: 'Zapytaj dokumentację',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Zadaj pytanie',
  askSend: 'Wyślij',
  askStop: 'Zatrzymaj',
  askRetry: 'Spróbuj ponownie',
  askCopy: 'Kopiuj odpowiedź',
  askCopied: 'Skopiowano',
  askNew: 'Nowa rozmowa',
  askHistory: 'Wcześniejsze rozmowy',
  askHistoryEmpty: 'Nie ma jeszcze żadnych rozmów.',
  askHistoryClear: 'Usuń wszystkie rozmowy',
  askYou: 'Ty',
  askAnswer: 'Odpowiedź',
  askSources: 'Źródła',
  askSource: 'Źródło {number}: {title}',
  askThisPage: 'Ta strona',
  askSelection: 'Zaznaczony tekst',
  askCode: 'Kod',
  askRemove: 'Usuń „{name}”',
  askAboutHeading: 'A co z „{heading}”?',
  askQuotesNotice: 'Odpowiedzi są cytatami z tej dokumentacji. Żaden model nie jest pytany i nic nie opuszcza tego urządzenia.',
  askModelNotice: 'Model językowy odpowiada na podstawie tej dokumentacji. Może się mylić: sprawdź źródła.',
  askSearching: 'Szukam w dokumentacji…',
  askDone: 'Odpowiedź jest pełna.',
  askStopped: 'Zatrzymano.',
  askFailed: 'Odpowiedź nie powiodła się.',
  askCutOff: 'Odpowiedź skończyła się za wcześnie.',
  askLost: 'Asystent jest nieosiągalny.',
  askBusy: 'Asystent dostaje teraz za dużo pytań. Spróbuj ponownie za {seconds} s.',
  askQuoteInstead: 'Zacytuj zamiast tego dokumentację',
  askGood: 'Dobra odpowiedź',
  askBad: 'Zła odpowiedź',
  askComment: 'Co było w niej dobre lub złe?',
  askSendComment: 'Wyślij komentarz',
  askThanks: 'Dziękujemy.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Z dokumentacji:',
  answerNone: 'Dokumentacja nie odpowiada na to pytanie.',
  answerNearest: 'Najbliższe tematowi strony:',
};

export const server: Labels['server'] = {
  cutOff: 'Odpowiedź urwała się przed końcem. Zapytaj ponownie.',
  failed: 'Teraz nie udało się odpowiedzieć na pytanie. Zapytaj ponownie za chwilę.',
  notThere: 'Nie ma dokumentacji {asked}, z której można by odpowiedzieć.',
  known: 'Jest dokumentacja: {known}.',
};
