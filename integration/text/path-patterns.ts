/** Whether a path matches one of the patterns: `drafts/**` matches everything below it, `*` part of a segment. */
export function pathMatcher(patterns: string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${expressionOf(pattern.replace(/^\/+|\/+$/g, ''))}$`));
  return (path) => expressions.some((expression) => expression.test(path));
}

function expressionOf(pattern: string): string {
  return pattern
    .split(/(\/\*\*$|\*\*\/|\*\*|\*)/)
    .map((part) => wildcards[part] ?? escapePattern(part))
    .join('');
}

/** A text as a regular expression that matches just it. */
export function escapePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

const wildcards: Record<string, string> = { '/**': '(?:/.*)?', '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };
