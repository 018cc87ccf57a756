import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Demander',
  askAbout: 'Poser une question à ce sujet',
  skipToContent: 'Aller au contenu',
  onThisPage: 'Sur cette page',
  previous: 'Précédent',
  next: 'Suivant',
  menu: 'Menu',
  mainNavigation: 'Navigation principale',
  sidebarNavigation: 'Pages',
  allPages: 'Toutes les pages de {name}',
  breadcrumbs: 'Fil d’Ariane',
  language: 'Langue',
  version: 'Version',
  theme: 'Thème',
  themeSystem: 'Système',
  themeLight: 'Clair',
  themeDark: 'Sombre',
  copy: 'Copier',
  expand: 'Développer',
  deprecated: 'Obsolète',
  notFoundTitle: 'Page introuvable',
  notFoundText: 'Il n’y a pas de page à cette adresse.',
  home: 'Accueil',
  lastUpdated: 'Dernière mise à jour',
  dismiss: 'Masquer',
  viewMarkdown: 'Voir en Markdown',
  opensOtherSite: 'Ouvre un autre site',
};

export const search: Labels['search'] = {
  search: 'Rechercher',
  searchPlaceholder: 'Rechercher dans la documentation',
  searchNoResults: 'Aucun résultat pour « {query} »',
  searchResults: '{count} résultats',
  searchRecent: 'Recherches récentes',
  searchOtherVersions: 'Rechercher dans les autres versions',
  searchClear: 'Effacer les recherches récentes',
  searchFailed: 'La recherche n’a pas pu être chargée. Rechargez la page.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Fermer',
  askTitle: 'Interroger la documentation',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Posez une question',
  askSend: 'Envoyer',
  askStop: 'Arrêter',
  askRetry: 'Réessayer',
  askCopy: 'Copier la réponse',
  askCopied: 'Copié',
  askNew: 'Nouvelle conversation',
  askHistory: 'Conversations précédentes',
  askHistoryEmpty: 'Aucune conversation pour le moment.',
  askHistoryClear: 'Supprimer toutes les conversations',
  askYou: 'Vous',
  askAnswer: 'Réponse',
  askSources: 'Sources',
  askSource: 'Source {number} : {title}',
  askThisPage: 'Cette page',
  askSelection: 'Texte sélectionné',
  askCode: 'Code',
  askRemove: 'Retirer « {name} »',
  askAboutHeading: 'Qu’en est-il de « {heading} » ?',
  askQuotesNotice:
    'Les réponses sont des citations de cette documentation. Aucun modèle n’est interrogé et rien ne quitte cet appareil.',
  askModelNotice: 'Un modèle de langage répond à partir de cette documentation. Il peut se tromper : vérifiez ses sources.',
  askSearching: 'Recherche dans la documentation…',
  askDone: 'La réponse est complète.',
  askStopped: 'Arrêté.',
  askFailed: 'La réponse a échoué.',
  askCutOff: 'La réponse s’est terminée trop tôt.',
  askLost: 'L’assistant est injoignable.',
  askBusy: 'L’assistant reçoit trop de questions. Réessayez dans {seconds} secondes.',
  askQuoteInstead: 'Citer plutôt la documentation',
  askGood: 'Bonne réponse',
  askBad: 'Mauvaise réponse',
  askComment: 'Qu’est-ce qui était bon ou mauvais ?',
  askSendComment: 'Envoyer le commentaire',
  askThanks: 'Merci.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Extrait de la documentation :',
  answerNone: 'La documentation ne répond pas à cette question.',
  answerNearest: 'Les pages les plus proches :',
};

export const server: Labels['server'] = {
  cutOff: 'La réponse s’est interrompue avant la fin. Posez à nouveau la question.',
  failed: 'Impossible de répondre à la question pour le moment. Posez-la à nouveau dans un instant.',
  notThere: 'Il n’y a pas de documentation de {asked} pour répondre.',
  known: 'Il y a une documentation de : {known}.',
};
