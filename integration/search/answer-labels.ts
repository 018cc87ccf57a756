import { translated } from './translated.ts';

/** Words around quotes. */
export interface AnswerLabels {
  answerQuotes: string;
  answerNone: string;
  answerNearest: string;
}

export const englishAnswerLabels: AnswerLabels = {
  answerQuotes: 'From the docs:',
  answerNone: 'The docs do not answer this.',
  answerNearest: 'These pages come nearest:',
};

/** The labels of a language, as `translated` finds them; English where there are none. */
export function answerLabels(language: string | undefined): AnswerLabels {
  return translated(translations, language) ?? englishAnswerLabels;
}

const translations: Record<string, AnswerLabels> = {
  ar: {
    answerQuotes: 'من الوثائق:',
    answerNone: 'لا تجيب الوثائق عن هذا السؤال.',
    answerNearest: 'أقرب الصفحات إليه:',
  },
  de: {
    answerQuotes: 'Aus der Dokumentation:',
    answerNone: 'Die Dokumentation beantwortet das nicht.',
    answerNearest: 'Diese Seiten kommen dem am nächsten:',
  },
  es: {
    answerQuotes: 'De la documentación:',
    answerNone: 'La documentación no responde a esto.',
    answerNearest: 'Las páginas más cercanas son:',
  },
  fr: {
    answerQuotes: 'Extrait de la documentation :',
    answerNone: 'La documentation ne répond pas à cette question.',
    answerNearest: 'Les pages les plus proches :',
  },
  he: {
    answerQuotes: 'מתוך התיעוד:',
    answerNone: 'התיעוד אינו עונה על כך.',
    answerNearest: 'הדפים הקרובים ביותר:',
  },
  hi: {
    answerQuotes: 'दस्तावेज़ से:',
    answerNone: 'दस्तावेज़ में इसका उत्तर नहीं है।',
    answerNearest: 'ये पृष्ठ सबसे निकट हैं:',
  },
  id: {
    answerQuotes: 'Dari dokumentasi:',
    answerNone: 'Dokumentasi tidak menjawab hal ini.',
    answerNearest: 'Halaman yang paling mendekati:',
  },
  it: {
    answerQuotes: 'Dalla documentazione:',
    answerNone: 'La documentazione non risponde a questa domanda.',
    answerNearest: 'Le pagine più vicine:',
  },
  ja: {
    answerQuotes: 'ドキュメントより：',
    answerNone: 'ドキュメントにはこの質問への答えがありません。',
    answerNearest: '近い内容のページ：',
  },
  ko: {
    answerQuotes: '문서에서:',
    answerNone: '문서에 이 질문에 대한 답이 없습니다.',
    answerNearest: '가장 가까운 페이지:',
  },
  nl: {
    answerQuotes: 'Uit de documentatie:',
    answerNone: 'De documentatie geeft hier geen antwoord op.',
    answerNearest: 'Deze pagina’s komen het dichtst in de buurt:',
  },
  pl: {
    answerQuotes: 'Z dokumentacji:',
    answerNone: 'Dokumentacja nie odpowiada na to pytanie.',
    answerNearest: 'Najbliższe tematowi strony:',
  },
  pt: {
    answerQuotes: 'Da documentação:',
    answerNone: 'A documentação não responde a isto.',
    answerNearest: 'As páginas mais próximas:',
  },
  ru: {
    answerQuotes: 'Из документации:',
    answerNone: 'В документации нет ответа на этот вопрос.',
    answerNearest: 'Ближайшие по теме страницы:',
  },
  tr: {
    answerQuotes: 'Belgelerden:',
    answerNone: 'Belgeler buna yanıt vermiyor.',
    answerNearest: 'Konuya en yakın sayfalar:',
  },
  uk: {
    answerQuotes: 'З документації:',
    answerNone: 'У документації немає відповіді на це запитання.',
    answerNearest: 'Найближчі за темою сторінки:',
  },
  vi: {
    answerQuotes: 'Trích từ tài liệu:',
    answerNone: 'Tài liệu không trả lời câu hỏi này.',
    answerNearest: 'Những trang gần nhất:',
  },
  zh: {
    answerQuotes: '文档中写道：',
    answerNone: '文档没有回答这个问题。',
    answerNearest: '最接近的页面：',
  },
  'zh-Hant': {
    answerQuotes: '文件中寫道：',
    answerNone: '文件沒有回答這個問題。',
    answerNearest: '最接近的頁面：',
  },
};
