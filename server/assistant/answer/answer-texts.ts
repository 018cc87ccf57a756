// What an answer says of itself where it cannot answer, in the language of the docs; quotes have labels of their own.
import { translated } from '../../../integration/search/translated.ts';

export interface AnswerTexts {
  /** It ended before its end. */
  cutOff: string;
  /** It never began. */
  failed: string;
  /** Of a language or version that there is none of: '{asked}'. */
  notThere: string;
  /** Languages or versions that there are: '{known}'. */
  known: string;
}

/** The texts of a language, as `translated` finds them; English where there are none. */
export function answerTexts(language: string | undefined): AnswerTexts {
  return translated(translations, language) ?? english;
}

const english: AnswerTexts = {
  cutOff: 'The answer broke off before its end. Ask again.',
  failed: 'The question could not be answered now. Ask again in a moment.',
  notThere: 'There are no docs of {asked} to answer from.',
  known: 'There are docs of: {known}.',
};

const translations: Record<string, AnswerTexts> = {
  ar: {
    cutOff: 'انقطعت الإجابة قبل نهايتها. اسأل مرة أخرى.',
    failed: 'تعذّرت الإجابة عن السؤال الآن. اسأل مرة أخرى بعد قليل.',
    notThere: 'لا توجد وثائق لـ {asked} للإجابة منها.',
    known: 'توجد وثائق لـ: {known}.',
  },
  de: {
    cutOff: 'Die Antwort brach vor ihrem Ende ab. Fragen Sie noch einmal.',
    failed: 'Die Frage konnte gerade nicht beantwortet werden. Fragen Sie gleich noch einmal.',
    notThere: 'Zu {asked} gibt es keine Dokumentation, aus der geantwortet werden könnte.',
    known: 'Dokumentation gibt es zu: {known}.',
  },
  es: {
    cutOff: 'La respuesta se interrumpió antes de terminar. Vuelva a preguntar.',
    failed: 'Ahora no se ha podido responder a la pregunta. Vuelva a preguntar en un momento.',
    notThere: 'No hay documentación de {asked} con la que responder.',
    known: 'Hay documentación de: {known}.',
  },
  fr: {
    cutOff: 'La réponse s’est interrompue avant la fin. Posez à nouveau la question.',
    failed: 'Impossible de répondre à la question pour le moment. Posez-la à nouveau dans un instant.',
    notThere: 'Il n’y a pas de documentation de {asked} pour répondre.',
    known: 'Il y a une documentation de : {known}.',
  },
  he: {
    cutOff: 'התשובה נקטעה לפני סופה. שאלו שוב.',
    failed: 'לא ניתן היה לענות על השאלה כעת. שאלו שוב בעוד רגע.',
    notThere: 'אין תיעוד של {asked} לענות מתוכו.',
    known: 'יש תיעוד של: {known}.',
  },
  hi: {
    cutOff: 'उत्तर पूरा होने से पहले ही रुक गया। फिर से पूछें।',
    failed: 'अभी प्रश्न का उत्तर नहीं दिया जा सका। थोड़ी देर में फिर से पूछें।',
    notThere: 'उत्तर देने के लिए {asked} के कोई दस्तावेज़ नहीं हैं।',
    known: 'इनके दस्तावेज़ हैं: {known}।',
  },
  id: {
    cutOff: 'Jawaban terputus sebelum selesai. Tanyakan lagi.',
    failed: 'Pertanyaan tidak dapat dijawab sekarang. Tanyakan lagi sebentar lagi.',
    notThere: 'Tidak ada dokumentasi {asked} untuk menjawab.',
    known: 'Ada dokumentasi untuk: {known}.',
  },
  it: {
    cutOff: 'La risposta si è interrotta prima della fine. Ripeti la domanda.',
    failed: 'Al momento non è stato possibile rispondere alla domanda. Riprova tra poco.',
    notThere: 'Non c’è documentazione di {asked} da cui rispondere.',
    known: 'C’è documentazione di: {known}.',
  },
  ja: {
    cutOff: '回答が途中で途切れました。もう一度質問してください。',
    failed: '現在、この質問に回答できません。しばらくしてからもう一度質問してください。',
    notThere: '{asked} のドキュメントはありません。',
    known: 'ドキュメントがあるもの：{known}。',
  },
  ko: {
    cutOff: '답변이 끝나기 전에 끊겼습니다. 다시 질문해 주세요.',
    failed: '지금은 질문에 답할 수 없습니다. 잠시 후 다시 질문해 주세요.',
    notThere: '{asked}에 대한 문서가 없습니다.',
    known: '문서가 있는 항목: {known}.',
  },
  nl: {
    cutOff: 'Het antwoord brak af voor het einde. Stel de vraag opnieuw.',
    failed: 'De vraag kon nu niet worden beantwoord. Stel haar zo meteen opnieuw.',
    notThere: 'Er is geen documentatie van {asked} om uit te antwoorden.',
    known: 'Er is documentatie van: {known}.',
  },
  pl: {
    cutOff: 'Odpowiedź urwała się przed końcem. Zapytaj ponownie.',
    failed: 'Teraz nie udało się odpowiedzieć na pytanie. Zapytaj ponownie za chwilę.',
    notThere: 'Nie ma dokumentacji {asked}, z której można by odpowiedzieć.',
    known: 'Jest dokumentacja: {known}.',
  },
  pt: {
    cutOff: 'A resposta foi interrompida antes do fim. Pergunte novamente.',
    failed: 'Não foi possível responder à pergunta agora. Pergunte novamente daqui a pouco.',
    notThere: 'Não há documentação de {asked} para responder.',
    known: 'Há documentação de: {known}.',
  },
  ru: {
    cutOff: 'Ответ оборвался. Спросите ещё раз.',
    failed: 'Сейчас не удалось ответить на вопрос. Спросите ещё раз чуть позже.',
    notThere: 'Документации {asked}, по которой можно было бы ответить, нет.',
    known: 'Есть документация: {known}.',
  },
  tr: {
    cutOff: 'Yanıt sona ermeden kesildi. Tekrar sorun.',
    failed: 'Soru şu anda yanıtlanamadı. Birazdan tekrar sorun.',
    notThere: 'Yanıtlamak için {asked} belgeleri yok.',
    known: 'Belgeleri olanlar: {known}.',
  },
  uk: {
    cutOff: 'Відповідь обірвалася. Запитайте ще раз.',
    failed: 'Зараз не вдалося відповісти на запитання. Запитайте ще раз трохи згодом.',
    notThere: 'Документації {asked}, за якою можна було б відповісти, немає.',
    known: 'Є документація: {known}.',
  },
  vi: {
    cutOff: 'Câu trả lời bị ngắt trước khi kết thúc. Hãy hỏi lại.',
    failed: 'Hiện không thể trả lời câu hỏi. Hãy hỏi lại sau giây lát.',
    notThere: 'Không có tài liệu {asked} để trả lời.',
    known: 'Có tài liệu của: {known}.',
  },
  zh: {
    cutOff: '回答在结束前中断了。请再问一次。',
    failed: '现在无法回答这个问题。请稍后再问一次。',
    notThere: '没有 {asked} 的文档可供回答。',
    known: '有以下文档：{known}。',
  },
  'zh-Hant': {
    cutOff: '回答在結束前中斷了。請再問一次。',
    failed: '現在無法回答這個問題。請稍後再問一次。',
    notThere: '沒有 {asked} 的文件可供回答。',
    known: '有以下文件：{known}。',
  },
};
