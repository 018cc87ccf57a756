import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: '質問',
  askAbout: 'これについて質問',
  skipToContent: '本文へスキップ',
  onThisPage: 'このページの内容',
  previous: '前へ',
  next: '次へ',
  menu: 'メニュー',
  mainNavigation: 'メインナビゲーション',
  sidebarNavigation: 'ページ一覧',
  allPages: '{name}のすべてのページ',
  breadcrumbs: 'パンくずリスト',
  language: '言語',
  version: 'バージョン',
  theme: 'テーマ',
  themeSystem: 'システム',
  themeLight: 'ライト',
  themeDark: 'ダーク',
  copy: 'コピー',
  expand: '展開',
  deprecated: '非推奨',
  notFoundTitle: 'ページが見つかりません',
  notFoundText: 'このアドレスにページはありません。',
  home: 'ホーム',
  lastUpdated: '最終更新',
  dismiss: '閉じる',
  viewMarkdown: 'Markdown で表示',
  opensOtherSite: '別のサイトを開きます',
};

export const search: Labels['search'] = {
  search: '検索',
  searchPlaceholder: 'ドキュメントを検索',
  searchNoResults: '「{query}」に一致する結果はありません',
  searchResults: '{count} 件の結果',
  searchRecent: '最近の検索',
  searchOtherVersions: '他のバージョンも検索',
  searchClear: '最近の検索を消去',
  searchFailed: '検索を読み込めませんでした。ページを再読み込みしてください。',
};

export const dialogs: Labels['dialogs'] = {
  close: '閉じる',
  askTitle: 'ドキュメントに質問',
};

export const ask: Labels['ask'] = {
  askPlaceholder: '質問を入力',
  askSend: '送信',
  askStop: '停止',
  askRetry: '再試行',
  askCopy: '回答をコピー',
  askCopied: 'コピーしました',
  askNew: '新しい会話',
  askHistory: '以前の会話',
  askHistoryEmpty: '会話はまだありません。',
  askHistoryClear: 'すべての会話を削除',
  askYou: 'あなた',
  askAnswer: '回答',
  askSources: '出典',
  askSource: '出典 {number}：{title}',
  askThisPage: 'このページ',
  askSelection: '選択したテキスト',
  askCode: 'コード',
  askRemove: '「{name}」を外す',
  askAboutHeading: '「{heading}」について教えて',
  askQuotesNotice: '回答はこのドキュメントからの引用です。モデルには問い合わせず、この端末から何も送信されません。',
  askModelNotice: '言語モデルがこのドキュメントをもとに回答します。誤ることもあるため、出典を確認してください。',
  askSearching: 'ドキュメントを調べています…',
  askDone: '回答が完了しました。',
  askStopped: '停止しました。',
  askFailed: '回答できませんでした。',
  askCutOff: '回答が途中で終わりました。',
  askLost: 'アシスタントに接続できません。',
  askBusy: '現在、質問が集中しています。{seconds} 秒後にもう一度お試しください。',
  askQuoteInstead: '代わりにドキュメントを引用',
  askGood: '良い回答',
  askBad: '悪い回答',
  askComment: '良かった点、悪かった点',
  askSendComment: 'コメントを送信',
  askThanks: 'ありがとうございます。',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'ドキュメントより：',
  answerNone: 'ドキュメントにはこの質問への答えがありません。',
  answerNearest: '近い内容のページ：',
};

export const server: Labels['server'] = {
  cutOff: '回答が途中で途切れました。もう一度質問してください。',
  failed: '現在、この質問に回答できません。しばらくしてからもう一度質問してください。',
  notThere: '{asked} のドキュメントはありません。',
  known: 'ドキュメントがあるもの：{known}。',
};
