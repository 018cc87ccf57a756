import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Vraag',
  askAbout: 'Hierover vragen',
  skipToContent: 'Naar de inhoud',
  onThisPage: 'Op deze pagina',
  previous: 'Vorige',
  next: 'Volgende',
  menu: 'Menu',
  mainNavigation: 'Hoofdnavigatie',
  sidebarNavigation: 'Pagina’s',
  allPages: 'Alle pagina’s van {name}',
  breadcrumbs: 'Kruimelpad',
  language: 'Taal',
  version: 'Versie',
  theme: 'Thema',
  themeSystem: 'Systeem',
  themeLight: 'Licht',
  themeDark: 'Donker',
  copy: 'Kopiëren',
  expand: 'Uitvouwen',
  deprecated: 'Verouderd',
  notFoundTitle: 'Pagina niet gevonden',
  notFoundText: 'Er is geen pagina op dit adres.',
  home: 'Startpagina',
  lastUpdated: 'Laatst bijgewerkt',
  dismiss: 'Verbergen',
  viewMarkdown: 'Als Markdown bekijken',
  opensOtherSite: 'Opent een andere site',
};

export const search: Labels['search'] = {
  search: 'Zoeken',
  searchPlaceholder: 'Zoeken in de documentatie',
  searchNoResults: 'Niets gevonden voor “{query}”',
  searchResults: '{count} resultaten',
  searchRecent: 'Recente zoekopdrachten',
  searchOtherVersions: 'Zoeken in andere versies',
  searchClear: 'Recente zoekopdrachten wissen',
  searchFailed: 'Zoeken kon niet worden geladen. Laad de pagina opnieuw.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Sluiten',
  askTitle: 'Vraag het de documentatie',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Stel een vraag',
  askSend: 'Versturen',
  askStop: 'Stoppen',
  askRetry: 'Opnieuw proberen',
  askCopy: 'Antwoord kopiëren',
  askCopied: 'Gekopieerd',
  askNew: 'Nieuw gesprek',
  askHistory: 'Eerdere gesprekken',
  askHistoryEmpty: 'Nog geen gesprekken.',
  askHistoryClear: 'Alle gesprekken verwijderen',
  askYou: 'U',
  askAnswer: 'Antwoord',
  askSources: 'Bronnen',
  askSource: 'Bron {number}: {title}',
  askThisPage: 'Deze pagina',
  askSelection: 'Geselecteerde tekst',
  askCode: 'Code',
  askRemove: '‘{name}’ verwijderen',
  askAboutHeading: 'Hoe zit het met ‘{heading}’?',
  askQuotesNotice: 'Antwoorden zijn citaten uit deze documentatie. Er wordt geen model gevraagd en niets verlaat dit apparaat.',
  askModelNotice: 'Een taalmodel antwoordt op basis van deze documentatie. Het kan zich vergissen: controleer de bronnen.',
  askSearching: 'De documentatie wordt doorzocht…',
  askDone: 'Het antwoord is volledig.',
  askStopped: 'Gestopt.',
  askFailed: 'Het antwoord is mislukt.',
  askCutOff: 'Het antwoord eindigde te vroeg.',
  askLost: 'De assistent is niet bereikbaar.',
  askBusy: 'De assistent krijgt te veel vragen. Probeer het over {seconds} seconden opnieuw.',
  askQuoteInstead: 'In plaats daarvan de documentatie citeren',
  askGood: 'Goed antwoord',
  askBad: 'Slecht antwoord',
  askComment: 'Wat was er goed of slecht aan?',
  askSendComment: 'Opmerking versturen',
  askThanks: 'Dank u wel.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Uit de documentatie:',
  answerNone: 'De documentatie geeft hier geen antwoord op.',
  answerNearest: 'Deze pagina’s komen het dichtst in de buurt:',
};

export const server: Labels['server'] = {
  cutOff: 'Het antwoord brak af voor het einde. Stel de vraag opnieuw.',
  failed: 'De vraag kon nu niet worden beantwoord. Stel haar zo meteen opnieuw.',
  notThere: 'Er is geen documentatie van {asked} om uit te antwoorden.',
  known: 'Er is documentatie van: {known}.',
};
