/** Whether a script ends the process when it is parsed, which calls itself for each bracket inside another: from some 5,000 on. Libraries have 500. */
export function isDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '(' || character === '[' || character === '{') {
      if (++depth > 2000) return true;
    } else if ((character === ')' || character === ']' || character === '}') && depth > 0) depth--;
  }
  return false;
}

/** What is told of such a script. */
export const tooDeep = 'its brackets stand too deep in one another to be read.';
