import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: '질문',
  askAbout: '이 내용 질문하기',
  skipToContent: '본문으로 건너뛰기',
  onThisPage: '이 페이지의 내용',
  previous: '이전',
  next: '다음',
  menu: '메뉴',
  mainNavigation: '주 탐색',
  sidebarNavigation: '페이지',
  allPages: '{name}의 모든 페이지',
  breadcrumbs: '이동 경로',
  language: '언어',
  version: '버전',
  theme: '테마',
  themeSystem: '시스템',
  themeLight: '라이트',
  themeDark: '다크',
  copy: '복사',
  expand: '펼치기',
  deprecated: '지원 중단됨',
  notFoundTitle: '페이지를 찾을 수 없습니다',
  notFoundText: '이 주소에는 페이지가 없습니다.',
  home: '홈',
  lastUpdated: '마지막 업데이트',
  dismiss: '닫기',
  viewMarkdown: 'Markdown으로 보기',
  opensOtherSite: '다른 사이트가 열립니다',
};

export const search: Labels['search'] = {
  search: '검색',
  searchPlaceholder: '문서 검색',
  searchNoResults: '“{query}”에 대한 결과가 없습니다',
  searchResults: '결과 {count}개',
  searchRecent: '최근 검색',
  searchOtherVersions: '다른 버전 검색',
  searchClear: '최근 검색 지우기',
  searchFailed: '검색을 불러오지 못했습니다. 페이지를 새로 고치세요.',
};

export const dialogs: Labels['dialogs'] = {
  close: '닫기',
  askTitle: '문서에 질문하기',
};

export const ask: Labels['ask'] = {
  askPlaceholder: '질문을 입력하세요',
  askSend: '보내기',
  askStop: '중지',
  askRetry: '다시 시도',
  askCopy: '답변 복사',
  askCopied: '복사됨',
  askNew: '새 대화',
  askHistory: '이전 대화',
  askHistoryEmpty: '아직 대화가 없습니다.',
  askHistoryClear: '모든 대화 삭제',
  askYou: '나',
  askAnswer: '답변',
  askSources: '출처',
  askSource: '출처 {number}: {title}',
  askThisPage: '이 페이지',
  askSelection: '선택한 텍스트',
  askCode: '코드',
  askRemove: '“{name}” 제거',
  askAboutHeading: '“{heading}”에 대해 알려 주세요',
  askQuotesNotice: '답변은 이 문서의 인용입니다. 모델에 묻지 않으며, 아무것도 이 기기를 벗어나지 않습니다.',
  askModelNotice: '언어 모델이 이 문서를 바탕으로 답합니다. 틀릴 수 있으니 출처를 확인하세요.',
  askSearching: '문서를 찾는 중…',
  askDone: '답변이 완료되었습니다.',
  askStopped: '중지했습니다.',
  askFailed: '답변하지 못했습니다.',
  askCutOff: '답변이 도중에 끝났습니다.',
  askLost: '도우미에 연결할 수 없습니다.',
  askBusy: '지금은 질문이 너무 많습니다. {seconds}초 후에 다시 시도하세요.',
  askQuoteInstead: '대신 문서 인용하기',
  askGood: '좋은 답변',
  askBad: '나쁜 답변',
  askComment: '무엇이 좋았거나 나빴나요?',
  askSendComment: '의견 보내기',
  askThanks: '감사합니다.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: '문서에서:',
  answerNone: '문서에 이 질문에 대한 답이 없습니다.',
  answerNearest: '가장 가까운 페이지:',
};

export const server: Labels['server'] = {
  cutOff: '답변이 끝나기 전에 끊겼습니다. 다시 질문해 주세요.',
  failed: '지금은 질문에 답할 수 없습니다. 잠시 후 다시 질문해 주세요.',
  notThere: '{asked}에 대한 문서가 없습니다.',
  known: '문서가 있는 항목: {known}.',
};
