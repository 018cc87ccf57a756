import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Спросить',
  askAbout: 'Спросить об этом',
  skipToContent: 'Перейти к содержимому',
  onThisPage: 'На этой странице',
  previous: 'Назад',
  next: 'Далее',
  menu: 'Меню',
  mainNavigation: 'Основная навигация',
  sidebarNavigation: 'Страницы',
  allPages: 'Все страницы: {name}',
  breadcrumbs: 'Навигационная цепочка',
  language: 'Язык',
  version: 'Версия',
  theme: 'Тема',
  themeSystem: 'Системная',
  themeLight: 'Светлая',
  themeDark: 'Тёмная',
  copy: 'Копировать',
  expand: 'Развернуть',
  deprecated: 'Устарело',
  notFoundTitle: 'Страница не найдена',
  notFoundText: 'По этому адресу нет страницы.',
  home: 'Главная',
  lastUpdated: 'Обновлено',
  dismiss: 'Скрыть',
  viewMarkdown: 'Показать как Markdown',
  opensOtherSite: 'Открывает другой сайт',
};

export const search: Labels['search'] = {
  search: 'Поиск',
  searchPlaceholder: 'Поиск по документации',
  searchNoResults: 'По запросу «{query}» ничего не найдено',
  searchResults: 'Результатов: {count}',
  searchRecent: 'Недавние запросы',
  searchOtherVersions: 'Искать в других версиях',
  searchClear: 'Очистить недавние запросы',
  searchFailed: 'Не удалось загрузить поиск. Обновите страницу.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Закрыть',
  askTitle: 'Спросить документацию',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Задайте вопрос',
  askSend: 'Отправить',
  askStop: 'Остановить',
  askRetry: 'Повторить',
  askCopy: 'Копировать ответ',
  askCopied: 'Скопировано',
  askNew: 'Новый разговор',
  askHistory: 'Прежние разговоры',
  askHistoryEmpty: 'Бесед пока нет.',
  askHistoryClear: 'Удалить все разговоры',
  askYou: 'Вы',
  askAnswer: 'Ответ',
  askSources: 'Источники',
  askSource: 'Источник {number}: {title}',
  askThisPage: 'Эта страница',
  askSelection: 'Выделенный текст',
  askCode: 'Код',
  askRemove: 'Убрать «{name}»',
  askAboutHeading: 'А что насчёт «{heading}»?',
  askQuotesNotice: 'Ответы — это цитаты из этой документации. Модель не используется, и ничто не покидает это устройство.',
  askModelNotice: 'На вопросы отвечает языковая модель по этой документации. Она может ошибаться: проверяйте источники.',
  askSearching: 'Ищем в документации…',
  askDone: 'Ответ готов.',
  askStopped: 'Остановлено.',
  askFailed: 'Ответить не удалось.',
  askCutOff: 'Ответ оборвался.',
  askLost: 'Помощник недоступен.',
  askBusy: 'Помощнику задают слишком много вопросов. Повторите через {seconds} с.',
  askQuoteInstead: 'Процитировать документацию',
  askGood: 'Хороший ответ',
  askBad: 'Плохой ответ',
  askComment: 'Что в нём хорошо или плохо?',
  askSendComment: 'Отправить отзыв',
  askThanks: 'Спасибо.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Из документации:',
  answerNone: 'В документации нет ответа на этот вопрос.',
  answerNearest: 'Ближайшие по теме страницы:',
};

export const server: Labels['server'] = {
  cutOff: 'Ответ оборвался. Спросите ещё раз.',
  failed: 'Сейчас не удалось ответить на вопрос. Спросите ещё раз чуть позже.',
  notThere: 'Документации {asked}, по которой можно было бы ответить, нет.',
  known: 'Есть документация: {known}.',
};
