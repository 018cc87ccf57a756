/**
 * Whole numbers as text that needs no escaping in a script: five bits per character, lowest first; the sixth bit means that more follow.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A number below 64 as one character. */
export const digitOf = (number: number) => alphabet[number]!;

/** The number of a character from `digitOf`. */
export const numberOf = (text: string, at = 0) => values[text.charCodeAt(at)]!;

const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const values = new Uint8Array(128);
codes.forEach((code, value) => (values[code] = value));

/** Collects numbers and characters in one string. */
export class NumberWriter {
  length = 0;
  #bytes = new Uint8Array(1024);

  number(value: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow();
    while (value >= 32) {
      this.#bytes[this.length++] = codes[32 | (value & 31)]!;
      value >>>= 5;
    }
    this.#bytes[this.length++] = codes[value]!;
  }

  character(code: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow();
    this.#bytes[this.length++] = code;
  }

  /** Returns what was written, and empties the writer. */
  take(): string {
    let text = '';
    // The number of arguments is limited. Spreading them takes ten times as long.
    for (let at = 0; at < this.length; at += 8192)
      text += Reflect.apply(String.fromCharCode, null, this.#bytes.subarray(at, Math.min(at + 8192, this.length)));
    this.length = 0;
    return text;
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}

/** Reads the numbers in a text one by one. */
export class NumberReader {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 5) {
      const part = values[this.text.charCodeAt(this.at++)]!;
      value |= (part & 31) << shift;
      if (part < 32) return value >>> 0;
      // Behind the end of the text it would never return.
      if (!(part >= 32)) throw new Error('The search index is damaged: it ends within a number.');
    }
  }
}

/** All numbers in a text. */
export function numbersOf(text: string): number[] {
  const reader = new NumberReader(text);
  const numbers: number[] = [];
  while (!reader.done) numbers.push(reader.number());
  return numbers;
}

/** The numbers as text. */
export function numbersText(numbers: Iterable<number>): string {
  const writer = new NumberWriter();
  for (const number of numbers) writer.number(number);
  return writer.take();
}
