import type { Labels } from './en.ts';

export const theme: Labels['theme'] = {
  ask: 'Hỏi',
  askAbout: 'Hỏi về điều này',
  skipToContent: 'Chuyển đến nội dung',
  onThisPage: 'Trên trang này',
  previous: 'Trước',
  next: 'Tiếp',
  menu: 'Menu',
  mainNavigation: 'Điều hướng chính',
  sidebarNavigation: 'Các trang',
  allPages: 'Tất cả các trang của {name}',
  breadcrumbs: 'Đường dẫn',
  language: 'Ngôn ngữ',
  version: 'Phiên bản',
  theme: 'Giao diện',
  themeSystem: 'Hệ thống',
  themeLight: 'Sáng',
  themeDark: 'Tối',
  copy: 'Sao chép',
  expand: 'Mở rộng',
  deprecated: 'Không còn dùng',
  notFoundTitle: 'Không tìm thấy trang',
  notFoundText: 'Không có trang nào ở địa chỉ này.',
  home: 'Trang chủ',
  lastUpdated: 'Cập nhật lần cuối',
  dismiss: 'Ẩn',
  viewMarkdown: 'Xem dạng Markdown',
  opensOtherSite: 'Mở trang web khác',
};

export const search: Labels['search'] = {
  search: 'Tìm kiếm',
  searchPlaceholder: 'Tìm trong tài liệu',
  searchNoResults: 'Không tìm thấy kết quả cho “{query}”',
  searchResults: '{count} kết quả',
  searchRecent: 'Tìm kiếm gần đây',
  searchOtherVersions: 'Tìm trong các phiên bản khác',
  searchClear: 'Xóa tìm kiếm gần đây',
  searchFailed: 'Không thể tải tính năng tìm kiếm. Hãy tải lại trang.',
};

export const dialogs: Labels['dialogs'] = {
  close: 'Đóng',
  askTitle: 'Hỏi tài liệu',
};

export const ask: Labels['ask'] = {
  askPlaceholder: 'Đặt câu hỏi',
  askSend: 'Gửi',
  askStop: 'Dừng',
  askRetry: 'Thử lại',
  askCopy: 'Sao chép câu trả lời',
  askCopied: 'Đã sao chép',
  askNew: 'Cuộc trò chuyện mới',
  askHistory: 'Các cuộc trò chuyện trước',
  askHistoryEmpty: 'Chưa có cuộc trò chuyện nào.',
  askHistoryClear: 'Xóa mọi cuộc trò chuyện',
  askYou: 'Bạn',
  askAnswer: 'Câu trả lời',
  askSources: 'Nguồn',
  askSource: 'Nguồn {number}: {title}',
  askThisPage: 'Trang này',
  askSelection: 'Văn bản đã chọn',
  askCode: 'Mã',
  askRemove: 'Bỏ “{name}”',
  askAboutHeading: 'Còn “{heading}” thì sao?',
  askQuotesNotice: 'Câu trả lời là trích dẫn từ tài liệu này. Không hỏi mô hình nào và không có gì rời khỏi thiết bị này.',
  askModelNotice: 'Một mô hình ngôn ngữ trả lời dựa trên tài liệu này. Nó có thể sai: hãy kiểm tra nguồn.',
  askSearching: 'Đang tìm trong tài liệu…',
  askDone: 'Câu trả lời đã hoàn tất.',
  askStopped: 'Đã dừng.',
  askFailed: 'Không trả lời được.',
  askCutOff: 'Câu trả lời kết thúc quá sớm.',
  askLost: 'Không thể kết nối với trợ lý.',
  askBusy: 'Trợ lý đang nhận quá nhiều câu hỏi. Hãy thử lại sau {seconds} giây.',
  askQuoteInstead: 'Thay vào đó hãy trích dẫn tài liệu',
  askGood: 'Câu trả lời tốt',
  askBad: 'Câu trả lời kém',
  askComment: 'Điều gì tốt hoặc chưa tốt?',
  askSendComment: 'Gửi nhận xét',
  askThanks: 'Cảm ơn bạn.',
};

export const quotes: Labels['quotes'] = {
  answerQuotes: 'Trích từ tài liệu:',
  answerNone: 'Tài liệu không trả lời câu hỏi này.',
  answerNearest: 'Những trang gần nhất:',
};

export const server: Labels['server'] = {
  cutOff: 'Câu trả lời bị ngắt trước khi kết thúc. Hãy hỏi lại.',
  failed: 'Hiện không thể trả lời câu hỏi. Hãy hỏi lại sau giây lát.',
  notThere: 'Không có tài liệu {asked} để trả lời.',
  known: 'Có tài liệu của: {known}.',
};
