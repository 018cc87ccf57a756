import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: '提问',
  askAbout: '就此提问',
  skipToContent: '跳到正文',
  onThisPage: '本页内容',
  previous: '上一页',
  next: '下一页',
  menu: '菜单',
  mainNavigation: '主导航',
  sidebarNavigation: '页面',
  allPages: '{name}的所有页面',
  breadcrumbs: '面包屑导航',
  language: '语言',
  version: '版本',
  theme: '主题',
  themeSystem: '跟随系统',
  themeLight: '浅色',
  themeDark: '深色',
  copy: '复制',
  expand: '展开',
  deprecated: '已弃用',
  notFoundTitle: '找不到页面',
  notFoundText: '此地址没有页面。',
  home: '首页',
  lastUpdated: '最后更新',
  dismiss: '关闭提示',
  viewMarkdown: '以 Markdown 查看',
  opensOtherSite: '打开其他网站',
};

export const search: Labels['search'] = {
  search: '搜索',
  searchPlaceholder: '搜索文档',
  searchNoResults: '没有找到“{query}”',
  searchResults: '{count} 个结果',
  searchRecent: '最近搜索',
  searchOtherVersions: '搜索其他版本',
  searchClear: '清除最近搜索',
  searchFailed: '无法加载搜索。请重新加载页面。',
};

export const dialogs: Labels['dialogs'] = {
  close: '关闭',
  askTitle: '询问文档',
};

export const ask: Labels['ask'] = {
  askPlaceholder: '输入问题',
  askSend: '发送',
  askStop: '停止',
  askRetry: '重试',
  askCopy: '复制回答',
  askCopied: '已复制',
  askNew: '新对话',
  askHistory: '以前的对话',
  askHistoryEmpty: '还没有对话。',
  askHistoryClear: '删除所有对话',
  askYou: '您',
  askAnswer: '回答',
  askSources: '来源',
  askSource: '来源 {number}：{title}',
  askThisPage: '本页',
  askSelection: '选中的文本',
  askCode: '代码',
  askRemove: '移除“{name}”',
  askAboutHeading: '“{heading}”是什么？',
  askQuotesNotice: '回答是本文档的引文。不会询问任何模型，也没有内容离开此设备。',
  askModelNotice: '语言模型根据本文档回答，可能出错：请查看来源。',
  askSearching: '正在查找文档…',
  askDone: '回答完成。',
  askStopped: '已停止。',
  askFailed: '回答失败。',
  askCutOff: '回答提前结束。',
  askLost: '无法连接到助手。',
  askBusy: '当前提问过多。请在 {seconds} 秒后重试。',
  askQuoteInstead: '改为引用文档',
  askGood: '好的回答',
  askBad: '不好的回答',
  askComment: '哪里好或不好？',
  askSendComment: '发送意见',
  askThanks: '谢谢。',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: '文档中写道：',
  answerNone: '文档没有回答这个问题。',
  answerNearest: '最接近的页面：',
};

export const server: Labels['server'] = {
  cutOff: '回答在结束前中断了。请再问一次。',
  failed: '现在无法回答这个问题。请稍后再问一次。',
  notThere: '没有 {asked} 的文档可供回答。',
  known: '有以下文档：{known}。',
};
