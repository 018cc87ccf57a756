import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Chiedi',
  askAbout: 'Chiedi informazioni su questo',
  skipToContent: 'Vai al contenuto',
  onThisPage: 'In questa pagina',
  previous: 'Precedente',
  next: 'Successivo',
  menu: 'Menu',
  mainNavigation: 'Navigazione principale',
  sidebarNavigation: 'Pagine',
  allPages: 'Tutte le pagine di {name}',
  breadcrumbs: 'Percorso',
  language: 'Lingua',
  version: 'Versione',
  theme: 'Tema',
  themeSystem: 'Sistema',
  themeLight: 'Chiaro',
  themeDark: 'Scuro',
  copy: 'Copia',
  expand: 'Espandi',
  deprecated: 'Obsoleto',
  notFoundTitle: 'Pagina non trovata',
  notFoundText: 'Non c’è nessuna pagina a questo indirizzo.',
  home: 'Home',
  lastUpdated: 'Ultimo aggiornamento',
  dismiss: 'Nascondi',
  viewMarkdown: 'Vedi come Markdown',
  opensOtherSite: 'Apre un altro sito',
};

export const search: Labels['search'] = {
  search: 'Cerca',
  searchPlaceholder: 'Cerca nella documentazione',
  searchNoResults: 'Nessun risultato per «{query}»',
  searchResults: '{count} risultati',
  searchRecent: 'Ricerche recenti',
  searchOtherVersions: 'Cerca in altre versioni',
  searchClear: 'Cancella le ricerche recenti',
  searchFailed: 'Impossibile caricare la ricerca. Ricarica la pagina.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Chiudi',
  askTitle: 'Chiedi alla documentazione',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Fai una domanda',
  askSend: 'Invia',
  askStop: 'Ferma',
  askRetry: 'Riprova',
  askCopy: 'Copia risposta',
  askCopied: 'Copiato',
  askNew: 'Nuova conversazione',
  askHistory: 'Conversazioni precedenti',
  askHistoryEmpty: 'Ancora nessuna conversazione.',
  askHistoryClear: 'Elimina tutte le conversazioni',
  askYou: 'Tu',
  askAnswer: 'Risposta',
  askSources: 'Fonti',
  askSource: 'Fonte {number}: {title}',
  askThisPage: 'Questa pagina',
  askSelection: 'Testo selezionato',
  askCode: 'Codice',
  askRemove: 'Rimuovi «{name}»',
  askAboutHeading: 'E «{heading}»?',
  askQuotesNotice:
    'Le risposte sono citazioni di questa documentazione. Nessun modello viene interrogato e nulla lascia questo dispositivo.',
  askModelNotice: 'Un modello linguistico risponde in base a questa documentazione. Può sbagliare: controlla le fonti.',
  askSearching: 'Ricerca nella documentazione…',
  askDone: 'La risposta è completa.',
  askStopped: 'Fermato.',
  askFailed: 'La risposta non è riuscita.',
  askCutOff: 'La risposta è terminata troppo presto.',
  askLost: 'L’assistente non è raggiungibile.',
  askBusy: 'L’assistente riceve troppe domande. Riprova tra {seconds} secondi.',
  askQuoteInstead: 'Cita invece la documentazione',
  askGood: 'Buona risposta',
  askBad: 'Cattiva risposta',
  askComment: 'Che cosa andava bene o male?',
  askSendComment: 'Invia commento',
  askThanks: 'Grazie.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Dalla documentazione:',
  answerNone: 'La documentazione non risponde a questa domanda.',
  answerNearest: 'Le pagine più vicine:',
};

export const server: Labels['server'] = {
  cutOff: 'La risposta si è interrotta prima della fine. Ripeti la domanda.',
  failed: 'Al momento non è stato possibile rispondere alla domanda. Riprova tra poco.',
  notThere: 'Non c’è documentazione di {asked} da cui rispondere.',
  known: 'C’è documentazione di: {known}.',
};
