/** Where a reader is: the page being read, and the pages on which they marked something; paths without slashes at the ends. */
export interface Near {
  page?: string;
  marked?: string[];
}

/** A factor for pages: the one being read, those that marks were made on, those in the same folder and the one above. */
export function nearTo({ page: current, marked = [] }: Near): (page: string) => number {
  const known = new Set(marked);
  return (page) => {
    if (page === current || known.has(page)) return 1.25;
    if (current === undefined) return 1;
    const isNeighbour = folderOf(current) !== '' && folderOf(page) === folderOf(current);
    return isNeighbour || (page !== '' && page === folderOf(current)) || folderOf(page) === current ? 1.1 : 1;
  };
}

/** Whether a question is about the page being read. */
export function asksOfPage(question: string): boolean {
  return thisPage.test(question);
}

/** The question without the words that name the page. */
export function withoutThisPage(question: string): string {
  return question.replace(thisPage, ' ');
}

const thisPage = /\b(?:this|current) (?:page|section|article|document|guide|chapter)\b/i;

function folderOf(page: string): string {
  return page.slice(0, Math.max(0, page.lastIndexOf('/')));
}
