import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Запитати',
  askAbout: 'Запитати про це',
  skipToContent: 'Перейти до вмісту',
  onThisPage: 'На цій сторінці',
  previous: 'Назад',
  next: 'Далі',
  menu: 'Меню',
  mainNavigation: 'Основна навігація',
  sidebarNavigation: 'Сторінки',
  allPages: 'Усі сторінки: {name}',
  breadcrumbs: 'Навігаційний ланцюжок',
  language: 'Мова',
  version: 'Версія',
  theme: 'Тема',
  themeSystem: 'Системна',
  themeLight: 'Світла',
  themeDark: 'Темна',
  copy: 'Копіювати',
  expand: 'Розгорнути',
  deprecated: 'Застаріло',
  notFoundTitle: 'Сторінку не знайдено',
  notFoundText: 'За цією адресою немає сторінки.',
  home: 'Головна',
  lastUpdated: 'Оновлено',
  dismiss: 'Приховати',
  viewMarkdown: 'Показати як Markdown',
  opensOtherSite: 'Відкриває інший сайт',
};

export const search: Labels['search'] = {
  search: 'Пошук',
  searchPlaceholder: 'Пошук у документації',
  searchNoResults: 'За запитом «{query}» нічого не знайдено',
  searchResults: 'Результатів: {count}',
  searchRecent: 'Останні запити',
  searchOtherVersions: 'Шукати в інших версіях',
  searchClear: 'Очистити останні запити',
  searchFailed: 'Не вдалося завантажити пошук. Оновіть сторінку.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Закрити',
  askTitle: 'Запитати документацію',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Поставте запитання',
  askSend: 'Надіслати',
  askStop: 'Зупинити',
  askRetry: 'Спробувати ще раз',
  askCopy: 'Копіювати відповідь',
  askCopied: 'Скопійовано',
  askNew: 'Нова розмова',
  askHistory: 'Попередні розмови',
  askHistoryEmpty: 'Розмов поки немає.',
  askHistoryClear: 'Видалити всі розмови',
  askYou: 'Ви',
  askAnswer: 'Відповідь',
  askSources: 'Джерела',
  askSource: 'Джерело {number}: {title}',
  askThisPage: 'Ця сторінка',
  askSelection: 'Виділений текст',
  askCode: 'Код',
  askRemove: 'Прибрати «{name}»',
  askAboutHeading: 'А що про «{heading}»?',
  askQuotesNotice: 'Відповіді — це цитати з цієї документації. Модель не використовується, і ніщо не залишає цей пристрій.',
  askModelNotice: 'Відповідає мовна модель за цією документацією. Вона може помилятися: перевіряйте джерела.',
  askSearching: 'Шукаємо в документації…',
  askDone: 'Відповідь готова.',
  askStopped: 'Зупинено.',
  askFailed: 'Не вдалося відповісти.',
  askCutOff: 'Відповідь обірвалася.',
  askLost: 'Помічник недоступний.',
  askBusy: 'Помічнику ставлять забагато запитань. Спробуйте ще раз через {seconds} с.',
  askQuoteInstead: 'Процитувати документацію',
  askGood: 'Хороша відповідь',
  askBad: 'Погана відповідь',
  askComment: 'Що в ній добре чи погано?',
  askSendComment: 'Надіслати відгук',
  askThanks: 'Дякуємо.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'З документації:',
  answerNone: 'У документації немає відповіді на це запитання.',
  answerNearest: 'Найближчі за темою сторінки:',
};

export const server: Labels['server'] = {
  cutOff: 'Відповідь обірвалася. Запитайте ще раз.',
  failed: 'Зараз не вдалося відповісти на запитання. Запитайте ще раз трохи згодом.',
  notThere: 'Документації {asked}, за якою можна було б відповісти, немає.',
  known: 'Є документація: {known}.',
};
