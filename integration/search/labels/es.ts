import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Preguntar',
  askAbout: 'Preguntar sobre esto',
  skipToContent: 'Saltar al contenido',
  onThisPage: 'En esta página',
  previous: 'Anterior',
  next: 'Siguiente',
  menu: 'Menú',
  mainNavigation: 'Navegación principal',
  sidebarNavigation: 'Páginas',
  allPages: 'Todas las páginas de {name}',
  breadcrumbs: 'Ruta de navegación',
  language: 'Idioma',
  version: 'Versión',
  theme: 'Tema',
  themeSystem: 'Sistema',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  copy: 'Copiar',
  expand: 'Expandir',
  deprecated: 'Obsoleto',
  notFoundTitle: 'Página no encontrada',
  notFoundText: 'No hay ninguna página en esta dirección.',
  home: 'Inicio',
  lastUpdated: 'Última actualización',
  dismiss: 'Descartar',
  viewMarkdown: 'Ver como Markdown',
  opensOtherSite: 'Abre otro sitio',
};

export const search: Labels['search'] = {
  search: 'Buscar',
  searchPlaceholder: 'Buscar en la documentación',
  searchNoResults: 'Sin resultados para «{query}»',
  searchResults: '{count} resultados',
  searchRecent: 'Búsquedas recientes',
  searchOtherVersions: 'Buscar en otras versiones',
  searchClear: 'Borrar búsquedas recientes',
  searchFailed: 'No se pudo cargar la búsqueda. Vuelva a cargar la página.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Cerrar',
  askTitle: 'Preguntar a la documentación',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Haga una pregunta',
  askSend: 'Enviar',
  askStop: 'Detener',
  askRetry: 'Reintentar',
  askCopy: 'Copiar respuesta',
  askCopied: 'Copiado',
  askNew: 'Nueva conversación',
  askHistory: 'Conversaciones anteriores',
  askHistoryEmpty: 'Todavía no hay conversaciones.',
  askHistoryClear: 'Borrar todas las conversaciones',
  askYou: 'Usted',
  askAnswer: 'Respuesta',
  askSources: 'Fuentes',
  askSource: 'Fuente {number}: {title}',
  askThisPage: 'Esta página',
  askSelection: 'Texto seleccionado',
  askCode: 'Código',
  askRemove: 'Quitar «{name}»',
  askAboutHeading: '¿Qué hay de «{heading}»?',
  askQuotesNotice:
    'Las respuestas son citas de esta documentación. No se consulta ningún modelo y nada sale de este dispositivo.',
  askModelNotice: 'Un modelo de lenguaje responde a partir de esta documentación. Puede equivocarse: compruebe sus fuentes.',
  askSearching: 'Buscando en la documentación…',
  askDone: 'La respuesta está completa.',
  askStopped: 'Detenido.',
  askFailed: 'La respuesta ha fallado.',
  askCutOff: 'La respuesta terminó antes de tiempo.',
  askLost: 'No se puede contactar con el asistente.',
  askBusy: 'El asistente recibe demasiadas preguntas. Vuelva a intentarlo en {seconds} segundos.',
  askQuoteInstead: 'Citar la documentación en su lugar',
  askGood: 'Buena respuesta',
  askBad: 'Mala respuesta',
  askComment: '¿Qué tuvo de bueno o de malo?',
  askSendComment: 'Enviar comentario',
  askThanks: 'Gracias.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'De la documentación:',
  answerNone: 'La documentación no responde a esto.',
  answerNearest: 'Las páginas más cercanas son:',
};

export const server: Labels['server'] = {
  cutOff: 'La respuesta se interrumpió antes de terminar. Vuelva a preguntar.',
  failed: 'Ahora no se ha podido responder a la pregunta. Vuelva a preguntar en un momento.',
  notThere: 'No hay documentación de {asked} con la que responder.',
  known: 'Hay documentación de: {known}.',
};
