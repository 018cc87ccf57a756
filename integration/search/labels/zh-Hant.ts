import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: '提問',
  askAbout: '就此提問',
  skipToContent: '跳到正文',
  onThisPage: '本頁內容',
  previous: '上一頁',
  next: '下一頁',
  menu: '選單',
  mainNavigation: '主導覽',
  sidebarNavigation: '頁面',
  allPages: '{name}的所有頁面',
  breadcrumbs: '導覽路徑',
  language: '語言',
  version: '版本',
  theme: '主題',
  themeSystem: '跟隨系統',
  themeLight: '淺色',
  themeDark: '深色',
  copy: '複製',
  expand: '展開',
  deprecated: '已棄用',
  notFoundTitle: '找不到頁面',
  notFoundText: '此網址沒有頁面。',
  home: '首頁',
  lastUpdated: '最後更新',
  dismiss: '關閉提示',
  viewMarkdown: '以 Markdown 檢視',
  opensOtherSite: '開啟其他網站',
};

export const search: Labels['search'] = {
  search: '搜尋',
  searchPlaceholder: '搜尋文件',
  searchNoResults: '找不到「{query}」',
  searchResults: '{count} 個結果',
  searchRecent: '最近搜尋',
  searchOtherVersions: '搜尋其他版本',
  searchClear: '清除最近搜尋',
  searchFailed: '無法載入搜尋。請重新載入頁面。',
};

export const dialogs: Labels['dialogs'] = {
  close: '關閉',
  askTitle: '詢問文件',
};

export const ask: Labels['ask'] = {
  askPlaceholder: '輸入問題',
  askSend: '傳送',
  askStop: '停止',
  askRetry: '重試',
  askCopy: '複製回答',
  askCopied: '已複製',
  askNew: '新對話',
  askHistory: '先前的對話',
  askHistoryEmpty: '還沒有對話。',
  askHistoryClear: '刪除所有對話',
  askYou: '您',
  askAnswer: '回答',
  askSources: '來源',
  askSource: '來源 {number}：{title}',
  askThisPage: '本頁',
  askSelection: '選取的文字',
  askCode: '程式碼',
  askRemove: '移除「{name}」',
  askAboutHeading: '「{heading}」是什麼？',
  askQuotesNotice: '回答是本文件的引文。不會詢問任何模型，也沒有資料離開此裝置。',
  askModelNotice: '語言模型根據本文件回答，可能出錯：請查看來源。',
  askSearching: '正在查找文件…',
  askDone: '回答完成。',
  askStopped: '已停止。',
  askFailed: '回答失敗。',
  askCutOff: '回答提前結束。',
  askLost: '無法連線到助理。',
  askBusy: '目前提問過多。請在 {seconds} 秒後重試。',
  askQuoteInstead: '改為引用文件',
  askGood: '好的回答',
  askBad: '不好的回答',
  askComment: '哪裡好或不好？',
  askSendComment: '傳送意見',
  askThanks: '謝謝。',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: '文件中寫道：',
  answerNone: '文件沒有回答這個問題。',
  answerNearest: '最接近的頁面：',
};

export const server: Labels['server'] = {
  cutOff: '回答在結束前中斷了。請再問一次。',
  failed: '現在無法回答這個問題。請稍後再問一次。',
  notThere: '沒有 {asked} 的文件可供回答。',
  known: '有以下文件：{known}。',
};
