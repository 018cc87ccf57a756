// English defines which texts there are. A name in braces stands for a value.

/** The theme's own texts. */
export const theme = {
  ask: 'Ask',
  askAbout: 'Ask about this',
  skipToContent: 'Skip to content',
  onThisPage: 'On this page',
  previous: 'Previous',
  next: 'Next',
  menu: 'Menu',
  mainNavigation: 'Main',
  sidebarNavigation: 'Pages',
  allPages: 'All pages of {name}',
  breadcrumbs: 'Breadcrumbs',
  language: 'Language',
  version: 'Version',
  theme: 'Theme',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  copy: 'Copy',
  expand: 'Expand',
  deprecated: 'Deprecated',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is no page at this address.',
  home: 'Home',
  lastUpdated: 'Last updated',
  dismiss: 'Dismiss',
  viewMarkdown: 'View as Markdown',
  opensOtherSite: 'Opens another site',
};

/** The search dialog. */
export const search = {
  search: 'Search',
  searchPlaceholder: 'Search the docs',
  searchNoResults: 'Nothing found for “{query}”',
  searchResults: '{count} results',
  searchRecent: 'Recent searches',
  searchOtherVersions: 'Search other versions',
  searchClear: 'Clear recent searches',
  searchFailed: 'The search index could not be loaded. Reload the page, or export the site again.',
};

/** Both the search dialog and the Ask panel. */
export const dialogs = {
  close: 'Close',
  askTitle: 'Ask the docs',
};

/** The Ask panel. */
export const ask = {
  askPlaceholder: 'Ask a question',
  askSend: 'Send',
  askStop: 'Stop',
  askRetry: 'Try again',
  askCopy: 'Copy answer',
  askCopied: 'Copied',
  askNew: 'New conversation',
  askHistory: 'Earlier conversations',
  askHistoryEmpty: 'No conversations yet.',
  askHistoryClear: 'Delete all conversations',
  askYou: 'You',
  askAnswer: 'Answer',
  askSources: 'Sources',
  askSource: 'Source {number}: {title}',
  askThisPage: 'This page',
  askSelection: 'Selected text',
  askCode: 'Code',
  askRemove: 'Remove “{name}”',
  askAboutHeading: 'What about “{heading}”?',
  askQuotesNotice: 'Answers are quotes from these docs. No model is used, and nothing leaves this device.',
  askModelNotice: 'A language model answers from these docs. It can be wrong: check its sources.',
  askSearching: 'Searching the docs…',
  askDone: 'The answer is complete.',
  askStopped: 'Stopped.',
  askFailed: 'The answer failed.',
  askCutOff: 'The answer was cut off.',
  askLost: 'The assistant cannot be reached.',
  askBusy: 'Too many requests. Try again in {seconds} s.',
  askQuoteInstead: 'Answer from the docs instead',
  askGood: 'Good answer',
  askBad: 'Bad answer',
  askComment: 'What was good or bad about it?',
  askSendComment: 'Send comment',
  askThanks: 'Thank you.',
};

/** Answers that quote the docs: in the Ask panel, on the server and by `carrel ask`. */
export const quotes = {
  answerQuotes: 'From the docs:',
  answerNone: 'The docs do not answer this.',
  answerNearest: 'The closest pages:',
};

/** What the server's assistant says when it cannot answer. */
export const server = {
  cutOff: 'The answer was cut off. Ask again.',
  failed: 'The question could not be answered. Try again in a moment.',
  notThere: 'There are no docs for {asked}.',
  known: 'Docs are available for: {known}.',
};

type English = typeof import('./en.ts');

/** All texts of one language: what English has. A text that a language lacks is a type error. */
export type Labels = { [Group in keyof English]: Record<keyof English[Group], string> };
