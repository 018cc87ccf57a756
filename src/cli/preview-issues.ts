import { problemLine, type Problem } from '../../integration/diagnostics.ts';
import { shown } from '../../integration/text/escape.ts';
import { faultOf, isSevere, type Fault } from '../preview/faults.ts';
import type { PreviewedDocs } from '../preview/preview-docs.ts';
import { paint, symbol } from './terminal.ts';

/** Milliseconds after a change before all pages are read for what is wrong with them. */
const untilReading = 400;
const mostPrinted = 20;

/** Prints what is wrong with the site: after each change what was not wrong before. */
export function issuePrinter(docs: PreviewedDocs) {
  let printed = new Set<string>();
  let shownFault: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading = new AbortController();

  const printFault = (fault: Fault): void => {
    const { location, message, hint, frame } = fault;
    const head = [location, message].filter(Boolean).join('  ');
    console.error(`${symbol('failure', process.stderr)}${paint('red', shown(head), process.stderr)}`);
    if (frame !== undefined) console.error(frame.split('\n').map(shown).join('\n'));
    if (hint !== undefined) console.error(shown(hint));
  };

  const printProblems = (problems: Problem[]): void => {
    const lines = new Map(
      problems.filter(({ severity }) => severity !== 'note').map((problem) => [problemLine(problem), problem]),
    );
    const fresh = [...lines].filter(([line]) => !printed.has(line));
    const fixed = [...printed].filter((line) => !lines.has(line)).length;
    printed = new Set(lines.keys());
    for (const [line, problem] of fresh.slice(0, mostPrinted)) {
      if (isSevere(problem)) printFault(faultOf(docs.root, problem));
      else console.error(`${symbol('warning', process.stderr)}${line}`);
    }
    if (fresh.length > mostPrinted) console.error(`… and ${fresh.length - mostPrinted} more.`);
    if (fixed > 0) console.log(`${symbol('success')}${fixed} ${fixed === 1 ? 'issue' : 'issues'} fixed, ${printed.size} left.`);
  };

  /** Stops reading pages, which takes time that a change needs. */
  const pause = (): void => {
    reading.abort();
    clearTimeout(timer);
  };

  return {
    pause,
    /** Prints the fault of the site now, and what is wrong with its pages once all are read. */
    print(): void {
      pause();
      const { fault, site } = docs.state();
      const text = fault && JSON.stringify(fault);
      if (fault && text !== shownFault) printFault(fault);
      if (!fault && shownFault !== undefined) console.log(`${symbol('success')}The site can be opened again.`);
      shownFault = text;
      if (fault || !site) return;
      const { signal } = (reading = new AbortController());
      // Another state of the site is read later.
      const read = () => void site.readPages(signal).then(printProblems, () => undefined);
      timer = setTimeout(read, untilReading);
    },
  };
}
