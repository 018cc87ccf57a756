// Syntax that readers see as it is written, because nothing gave it a meaning.
import type { ElementContent } from 'hast';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { withoutFences } from '../source/snippets.ts';
import type { SourcePage } from '../source/source.ts';

// The opening of a container, callout, shortcode, tag, attribute list or include. Each ends in the same line.
const syntax =
  /(?<![^\s>]):{3,}[ \t]*\{?[A-Za-z][\w-]*|(?<=^|\n)[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[a-z]+|\{\{[<%][^\n}]{0,80}[%>]\}\}|\{%[^\n%]{0,80}%\}|%\{[#.][^\n}]{0,80}\}%|-{2,}8<-{2,}|\{!>?[ \t]*[\w./-]+[^!\n}]{0,80}!\}|\{\*[ \t]+[^\n*]{1,80}\*\}|<\/?[A-Z][\w.]*(?:[ \t]+[\w-]+=|[ \t]*\/?>)|<[a-z][\w-]{0,20}[ \t][^\n<>]{0,200}?=\{/g;
const quick = /:::|!!!|\?\?\?|[{%][{%!*#]|8<|<\/?[A-Z]|=\{/;
const isCode = /^(?:code|pre|kbd|samp|var|svg|math|script|style|textarea)$/;

// What is text on purpose: escaped, in code, or the value of an attribute.
const literal = /\\\S|(`+)(?!`)[\s\S]{0,500}?[^`]\1(?!`)|=[ \t]*(?:"[^"\n]*"|'[^'\n]*')/g;

/** The body with spaces in place of what is text on purpose. A value without the beginning of a construct can be part of one: it stays. */
function withoutLiterals(body: string): string {
  return withoutFences(body).replace(literal, (part) =>
    part.startsWith('=') && !/[<{:]/.test(part) ? part : part.replace(/[^\n]/g, ' '),
  );
}

/** One problem for each construct that the text of a page shows, with its line where its source has it. */
export function visibleSyntax(
  content: readonly ElementContent[],
  { body, bodyLine }: SourcePage,
): (Problem & { line?: number })[] {
  const found = new Map<string, Problem & { line?: number }>();
  let plain: string | undefined;
  const visit = (node: ElementContent): void => {
    if (node.type === 'element' && !isCode.test(node.tagName)) for (const child of node.children) visit(child);
    if (node.type !== 'text' || !quick.test(node.value)) return;
    for (const [written] of node.value.matchAll(syntax)) {
      const construct = written.trim();
      const name = /^\W*[\w./-]+/.exec(construct)?.[0] ?? construct;
      if (found.has(name)) continue;
      const at = (plain ??= withoutLiterals(body)).indexOf(construct);
      if (at === -1) continue;
      found.set(
        name,
        createProblem({
          kind: 'unknown-syntax',
          line: bodyLine + body.slice(0, at).split('\n').length,
          message: `"${construct}" is shown as text: Carrel does not know it here, or it is not closed.`,
          hint: 'Correct it, or write it as code if readers should see it.',
        }),
      );
    }
  };
  for (const node of content) visit(node);
  return [...found.values()];
}
