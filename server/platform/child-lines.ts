/** Cuts text that comes in pieces into lines; a line over `longest` characters is passed over. */
export function createLines(onLine: (line: string) => void, longest = 4096): { push(text: string): void } {
  let rest = '';
  let isTooLong = false;
  return {
    push(text) {
      const parts = text.split('\n');
      for (const [index, part] of parts.entries()) {
        const isWhole = index < parts.length - 1;
        isTooLong ||= rest.length + part.length > longest;
        if (isTooLong) rest = '';
        else rest += part;
        if (!isWhole) continue;
        if (!isTooLong && rest !== '') onLine(rest);
        rest = '';
        isTooLong = false;
      }
    },
  };
}
