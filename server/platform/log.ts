// Structured logs: JSON lines without secrets.
import { pino, type Logger } from 'pino';
import type { ServerOptions } from './options.ts';

export type { Logger };

/**
 * JSON lines on standard error. Keys, signatures and passwords are hidden: by name in objects, and by pattern in texts such as URLs,
 * headers and error messages.
 */
export function createLog(level: ServerOptions['log'], destination: NodeJS.WritableStream = process.stderr): Logger {
  const log = pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (values) => withoutSecrets(values, []) as Record<string, unknown>,
      },
      // `log` above has already converted it to data.
      serializers: { err: (data: unknown) => data },
      // The written line is searched too: any text may contain a secret.
      hooks: { streamWrite: withoutSecretText },
    },
    destination,
  );
  // No formatter runs on the fixed values of a child logger. Its own children inherit this.
  const { child } = log;
  log.child = function (this: Logger, values: object, ...more: []) {
    return child.call(this, withoutSecrets(values, []) as object, ...more);
  } as typeof child;
  return log;
}

const hidden = '[hidden]';
const secretName =
  /authorization|cookie|secret|passw|passphrase|signature|credential|token|^key$|apikey|api_key|(?:admin|assistant|private|secret)_?key$/i;
const deepest = 8;

function withoutSecrets(value: unknown, above: unknown[]): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (above.includes(value) || above.length >= deepest) return '[…]';
  if (ArrayBuffer.isView(value)) return '[bytes]';
  const around = [...above, value];
  if (value instanceof Error) return withoutSecrets(errorParts(value), around);
  if (Array.isArray(value)) return value.map((part) => withoutSecrets(part, around));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecret(name, part) ? hidden : withoutSecrets(part, around)]),
  );
}

/** IDs of keys grant no access, so they are shown. */
function isSecret(name: string, value: unknown): boolean {
  return (
    secretName.test(name) &&
    value !== undefined &&
    value !== null &&
    !(typeof value === 'string' && /^key_[0-9a-f]{16}$/.test(value))
  );
}

function errorParts(error: Error): Record<string, unknown> {
  // `Object.entries` includes the properties that libraries add: code, statement, status.
  const { name, message, stack, cause } = error;
  return { ...Object.fromEntries(Object.entries(error)), type: name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

// Each pattern stops at the end of a value in JSON, a URL or a command line, and reads every character at most twice.
const secretTexts: [RegExp, string][] = [
  [/\bsvc_[A-Za-z0-9_]{8,}/g, `svc_${hidden}`],
  [/#link=[\w-]{20,}/g, `#link=${hidden}`],
  [/\bpage_\d+\.[\w.-]+/g, `page_${hidden}`],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, `whsec_${hidden}`],
  [/\b(Bearer|Basic) +[^\s"\\]+/gi, `$1 ${hidden}`],
  [/:\/\/[^\s"\\/?#]*@/g, `://${hidden}@`],
  [
    /\b((?:x-amz-(?:signature|credential|security-token))|signature|access_token|token|secret|password)=[^&\s"\\]+/gi,
    `$1=${hidden}`,
  ],
];

/** A text in which keys, bearer tokens, passwords in URLs and signatures of links are hidden. */
export function withoutSecretText(text: string): string {
  // Most lines contain no secret, and there are thousands a second.
  if (!/svc_|page_\d|whsec_|:\/\/|=|bearer |basic /i.test(text)) return text;
  return secretTexts.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}
