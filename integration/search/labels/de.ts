import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Fragen',
  askAbout: 'Danach fragen',
  skipToContent: 'Zum Inhalt springen',
  onThisPage: 'Auf dieser Seite',
  previous: 'Zurück',
  next: 'Weiter',
  menu: 'Menü',
  mainNavigation: 'Hauptnavigation',
  sidebarNavigation: 'Seiten',
  allPages: 'Alle Seiten von {name}',
  breadcrumbs: 'Brotkrumen',
  language: 'Sprache',
  version: 'Version',
  theme: 'Farbschema',
  themeSystem: 'System',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  copy: 'Kopieren',
  expand: 'Ausklappen',
  deprecated: 'Veraltet',
  notFoundTitle: 'Seite nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es keine Seite.',
  home: 'Startseite',
  lastUpdated: 'Zuletzt aktualisiert',
  dismiss: 'Ausblenden',
  viewMarkdown: 'Als Markdown ansehen',
  opensOtherSite: 'Öffnet eine andere Website',
};

export const search: Labels['search'] = {
  search: 'Suche',
  searchPlaceholder: 'Dokumentation durchsuchen',
  searchNoResults: 'Nichts gefunden zu „{query}“',
  searchResults: '{count} Treffer',
  searchRecent: 'Letzte Suchen',
  searchOtherVersions: 'Andere Versionen durchsuchen',
  searchClear: 'Letzte Suchen löschen',
  searchFailed: 'Die Suche konnte nicht geladen werden. Laden Sie die Seite neu.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Schließen',
  askTitle: 'Die Dokumentation fragen',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Eine Frage stellen',
  askSend: 'Senden',
  askStop: 'Anhalten',
  askRetry: 'Erneut versuchen',
  askCopy: 'Antwort kopieren',
  askCopied: 'Kopiert',
  askNew: 'Neue Unterhaltung',
  askHistory: 'Frühere Unterhaltungen',
  askHistoryEmpty: 'Noch keine Unterhaltungen.',
  askHistoryClear: 'Alle Unterhaltungen löschen',
  askYou: 'Sie',
  askAnswer: 'Antwort',
  askSources: 'Quellen',
  askSource: 'Quelle {number}: {title}',
  askThisPage: 'Diese Seite',
  askSelection: 'Markierter Text',
  askCode: 'Code',
  askRemove: '„{name}“ entfernen',
  askAboutHeading: 'Was ist mit „{heading}“?',
  askQuotesNotice: 'Antworten sind Zitate aus dieser Dokumentation. Kein Modell wird gefragt, und nichts verlässt dieses Gerät.',
  askModelNotice: 'Ein Sprachmodell antwortet aus dieser Dokumentation. Es kann sich irren: Prüfen Sie die Quellen.',
  askSearching: 'Die Dokumentation wird durchsucht …',
  askDone: 'Die Antwort ist vollständig.',
  askStopped: 'Angehalten.',
  askFailed: 'Die Antwort ist fehlgeschlagen.',
  askCutOff: 'Die Antwort endete zu früh.',
  askLost: 'Der Assistent ist nicht erreichbar.',
  askBusy: 'Der Assistent wird gerade zu viel gefragt. Versuchen Sie es in {seconds} Sekunden erneut.',
  askQuoteInstead: 'Stattdessen die Dokumentation zitieren',
  askGood: 'Gute Antwort',
  askBad: 'Schlechte Antwort',
  askComment: 'Was war daran gut oder schlecht?',
  askSendComment: 'Kommentar senden',
  askThanks: 'Vielen Dank.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Aus der Dokumentation:',
  answerNone: 'Die Dokumentation beantwortet das nicht.',
  answerNearest: 'Diese Seiten kommen dem am nächsten:',
};

export const server: Labels['server'] = {
  cutOff: 'Die Antwort brach vor ihrem Ende ab. Fragen Sie noch einmal.',
  failed: 'Die Frage konnte gerade nicht beantwortet werden. Fragen Sie gleich noch einmal.',
  notThere: 'Zu {asked} gibt es keine Dokumentation, aus der geantwortet werden könnte.',
  known: 'Dokumentation gibt es zu: {known}.',
};
