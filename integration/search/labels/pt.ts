import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Perguntar',
  askAbout: 'Perguntar sobre isto',
  skipToContent: 'Ir para o conteúdo',
  onThisPage: 'Nesta página',
  previous: 'Anterior',
  next: 'Próximo',
  menu: 'Menu',
  mainNavigation: 'Navegação principal',
  sidebarNavigation: 'Páginas',
  allPages: 'Todas as páginas de {name}',
  breadcrumbs: 'Trilha de navegação',
  language: 'Idioma',
  version: 'Versão',
  theme: 'Tema',
  themeSystem: 'Sistema',
  themeLight: 'Claro',
  themeDark: 'Escuro',
  copy: 'Copiar',
  expand: 'Expandir',
  deprecated: 'Obsoleto',
  notFoundTitle: 'Página não encontrada',
  notFoundText: 'Não há página neste endereço.',
  home: 'Início',
  lastUpdated: 'Última atualização',
  dismiss: 'Dispensar',
  viewMarkdown: 'Ver como Markdown',
  opensOtherSite: 'Abre outro site',
};

export const search: Labels['search'] = {
  search: 'Pesquisar',
  searchPlaceholder: 'Pesquisar na documentação',
  searchNoResults: 'Nada encontrado para “{query}”',
  searchResults: '{count} resultados',
  searchRecent: 'Pesquisas recentes',
  searchOtherVersions: 'Pesquisar em outras versões',
  searchClear: 'Limpar pesquisas recentes',
  searchFailed: 'Não foi possível carregar a pesquisa. Recarregue a página.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Fechar',
  askTitle: 'Perguntar à documentação',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Faça uma pergunta',
  askSend: 'Enviar',
  askStop: 'Parar',
  askRetry: 'Tentar novamente',
  askCopy: 'Copiar resposta',
  askCopied: 'Copiado',
  askNew: 'Nova conversa',
  askHistory: 'Conversas anteriores',
  askHistoryEmpty: 'Ainda não há conversas.',
  askHistoryClear: 'Apagar todas as conversas',
  askYou: 'Você',
  askAnswer: 'Resposta',
  askSources: 'Fontes',
  askSource: 'Fonte {number}: {title}',
  askThisPage: 'Esta página',
  askSelection: 'Texto selecionado',
  askCode: 'Código',
  askRemove: 'Remover “{name}”',
  askAboutHeading: 'E quanto a “{heading}”?',
  askQuotesNotice: 'As respostas são citações desta documentação. Nenhum modelo é consultado e nada sai deste dispositivo.',
  askModelNotice: 'Um modelo de linguagem responde com base nesta documentação. Ele pode errar: confira as fontes.',
  askSearching: 'Procurando na documentação…',
  askDone: 'A resposta está completa.',
  askStopped: 'Parado.',
  askFailed: 'A resposta falhou.',
  askCutOff: 'A resposta terminou cedo demais.',
  askLost: 'Não é possível contatar o assistente.',
  askBusy: 'O assistente está recebendo perguntas demais. Tente novamente em {seconds} segundos.',
  askQuoteInstead: 'Citar a documentação em vez disso',
  askGood: 'Boa resposta',
  askBad: 'Má resposta',
  askComment: 'O que havia de bom ou ruim nela?',
  askSendComment: 'Enviar comentário',
  askThanks: 'Obrigado.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Da documentação:',
  answerNone: 'A documentação não responde a isto.',
  answerNearest: 'As páginas mais próximas:',
};

export const server: Labels['server'] = {
  cutOff: 'A resposta foi interrompida antes do fim. Pergunte novamente.',
  failed: 'Não foi possível responder à pergunta agora. Pergunte novamente daqui a pouco.',
  notThere: 'Não há documentação de {asked} para responder.',
  known: 'Há documentação de: {known}.',
};
