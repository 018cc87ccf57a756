/** Words of the ask panel. `{name}` stands for what it says. */
export interface AskLabels {
  askTitle: string;
  askPlaceholder: string;
  askSend: string;
  askStop: string;
  askRetry: string;
  askCopy: string;
  askCopied: string;
  askNew: string;
  askHistory: string;
  askHistoryEmpty: string;
  askHistoryClear: string;
  close: string;
  askYou: string;
  askAnswer: string;
  askSources: string;
  /** Of a source's number in a text: '{number}', '{title}'. */
  askSource: string;
  askThisPage: string;
  askSelection: string;
  askCode: string;
  askRemove: string;
  /** A question about a heading of the page: '{heading}'. */
  askAboutHeading: string;
  askQuotesNotice: string;
  askModelNotice: string;
  askSearching: string;
  askDone: string;
  askStopped: string;
  askFailed: string;
  askCutOff: string;
  askLost: string;
  /** '{seconds}' */
  askBusy: string;
  askQuoteInstead: string;
  askGood: string;
  askBad: string;
  askComment: string;
  askSendComment: string;
  askThanks: string;
}

export const englishAskLabels: AskLabels = {
  askTitle: 'Ask the docs',
  askPlaceholder: 'Ask a question',
  askSend: 'Send',
  askStop: 'Stop',
  askRetry: 'Try again',
  askCopy: 'Copy answer',
  askCopied: 'Copied',
  askNew: 'New conversation',
  askHistory: 'Earlier conversations',
  askHistoryEmpty: 'Nothing was asked so far.',
  askHistoryClear: 'Delete all conversations',
  close: 'Close',
  askYou: 'You',
  askAnswer: 'Answer',
  askSources: 'Sources',
  askSource: 'Source {number}: {title}',
  askThisPage: 'This page',
  askSelection: 'Selected text',
  askCode: 'Code',
  askRemove: 'Remove “{name}”',
  askAboutHeading: 'What about “{heading}”?',
  askQuotesNotice: 'Answers are quotes from these docs. No model is asked, and nothing leaves this device.',
  askModelNotice: 'A language model answers from these docs. It can be wrong: check its sources.',
  askSearching: 'Looking in the docs…',
  askDone: 'The answer is complete.',
  askStopped: 'Stopped.',
  askFailed: 'The answer failed.',
  askCutOff: 'The answer ended too early.',
  askLost: 'The assistant cannot be reached.',
  askBusy: 'The assistant is asked too much at the moment. Try again in {seconds} seconds.',
  askQuoteInstead: 'Quote the docs instead',
  askGood: 'Good answer',
  askBad: 'Bad answer',
  askComment: 'What was good or bad about it?',
  askSendComment: 'Send comment',
  askThanks: 'Thank you.',
};
