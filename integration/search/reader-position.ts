/** Where a reader is: the page that they read, and the pages on which they selected text; paths without outer slashes. */
export interface ReaderPosition {
  page?: string;
  selectedOn?: string[];
}

/** A score factor by page: highest for the page being read and those with a selection, lower for its siblings, parent and children. */
export function proximityBoost({ page: current, selectedOn = [] }: ReaderPosition): (page: string) => number {
  const selected = new Set(selectedOn);
  return (page) => {
    if (page === current || selected.has(page)) return 1.25;
    if (current === undefined) return 1;
    const isSibling = folderOf(current) !== '' && folderOf(page) === folderOf(current);
    return isSibling || (page !== '' && page === folderOf(current)) || folderOf(page) === current ? 1.1 : 1;
  };
}

/** Whether a question is about the page being read. */
export function asksAboutPage(question: string): boolean {
  return pageReference.test(question);
}

/** The question without the words that refer to the page. */
export function withoutPageReference(question: string): string {
  return question.replace(pageReference, ' ');
}

const pageReference = /\b(?:this|current) (?:page|section|article|document|guide|chapter)\b/i;

function folderOf(page: string): string {
  return page.slice(0, Math.max(0, page.lastIndexOf('/')));
}
