// PDF files that Chromium printed, as one: with bookmarks, links between them, one tree of tags, and objects compressed, which Chromium does not do.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Book } from '../book/book.ts';

/** Where something is in a part. */
interface Place {
  /** Number of the object of its page. */
  page: number;
  /** Of the page in the part, from 0. */
  index: number;
  /** As the PDF says it: `/XYZ 6 732 0`. */
  at: string;
}

export interface Part {
  file: string;
  pages: number;
  /** By ID. */
  places: ReadonlyMap<string, Place>;
  /** Numbers of objects that it uses. */
  size: number;
  producer: string;
}

export interface Bookmark {
  title: string;
  id: string;
  children: Bookmark[];
}

interface PdfObject {
  head: string;
  stream?: string;
}

/** The objects of a file as Skia, in Chromium, writes it: a table of offsets at the end, nothing but streams compressed. */
function readObjects(file: string) {
  const text = readFileSync(file, 'latin1');
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
  const [, count = '0', rows = ''] = /^xref\s+0 (\d+)\s+([\d\snf]*)trailer/.exec(text.slice(table)) ?? [];
  const trailer = text.slice(text.lastIndexOf('trailer'));
  const offsets = [...rows.matchAll(/(\d{10}) \d{5} ([nf])/g)].map(([, offset, kind]) => (kind === 'n' ? Number(offset) : 0));
  const sorted = [...offsets.filter(Boolean), table].sort((a, b) => a - b);
  const ends = new Map(sorted.map((offset, index) => [offset, sorted[index + 1]]));
  const objects = new Map<number, PdfObject>();
  for (const [number, offset] of offsets.entries()) {
    if (offset === 0) continue;
    const body = text.slice(text.indexOf('obj', offset) + 4, text.lastIndexOf('endobj', ends.get(offset)));
    const start = body.indexOf(' stream\n');
    if (start < 0) objects.set(number, { head: body.trimEnd() });
    else objects.set(number, { head: body.slice(0, start), stream: body.slice(start + 8, body.lastIndexOf('\nendstream')) });
  }
  const head = (number: number | undefined) => objects.get(number ?? 0)?.head ?? '';
  return { objects, head, size: Number(count), root: reference(trailer, 'Root'), info: reference(trailer, 'Info') };
}

function reference(head: string, key: string): number | undefined {
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(head)?.[1];
  return found === undefined ? undefined : Number(found);
}

const references = (list: string): number[] => [...list.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
const kidsOf = (head: string): number[] => references(/\/Kids \[([^\]]*)\]/.exec(head)?.[1] ?? '');

/** Throws an error if the file is not one that Chromium printed. */
export function readPart(file: string): Part {
  const { head, root, info, size } = readObjects(file);
  const catalog = head(root);
  const pagesIn = (number: number): number[] =>
    /\/Type \/Pages\b/.test(head(number)) ? kidsOf(head(number)).flatMap(pagesIn) : [number];
  const first = reference(catalog, 'Pages');
  if (first === undefined) throw new Error(`"${file}" is not a PDF as Chromium prints it.`);
  const pages = pagesIn(first);
  const named = head(reference(catalog, 'Dests')).matchAll(/\/([^\s/[]+) \[(\d+) 0 R (\/XYZ [^\]]*)\]/g);
  const places = [...named].map(([, id, page, at]): [string, Place] => [
    id!,
    { page: Number(page), index: pages.indexOf(Number(page)), at: at! },
  ]);
  const producer = /\/Producer \(([^)]*)\)/.exec(head(info))?.[1] ?? '';
  return { file, pages: pages.length, places: new Map(places), size, producer };
}

const stringOrReference = /\((?:\\[\s\S]|[^\\()])*\)|(\d+)(?= 0 R\b)/g;
// Numbers of objects that all parts share.
const [catalogNumber, pagesNumber, infoNumber, tagsNumber, documentNumber, parentsNumber, idsNumber, outlineNumber] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8],
] as [number, number, number, number, number, number, number, number];

/** Writes the book. `parts` are in order; a link to `book:ID` opens the place with this ID. */
export function joinPdf(
  write: (bytes: Buffer) => void,
  parts: Part[],
  { book, bookmarks }: { book: Book; bookmarks: Bookmark[] },
): void {
  const bases: number[] = [];
  let next = outlineNumber + 1;
  for (const { size } of parts) next = bases[bases.push(next) - 1]! + size;
  const places = new Map(
    parts.flatMap((part, index) =>
      [...part.places].map(([id, { page, at }]): [string, string] => [id, `[${page + bases[index]!} 0 R ${at}]`]),
    ),
  );
  const out = objectWriter(write, () => next++);
  const lists = { pages: [] as number[], documents: [] as number[], parents: [] as number[], ids: [] as number[] };
  let key = 0;
  let count = 0;
  for (const [index, part] of parts.entries()) {
    const base = bases[index]!;
    const { objects, head, root, info } = readObjects(part.file);
    const tags = reference(head(root), 'StructTreeRoot');
    const [document, parents, ids] = ['K', 'ParentTree', 'IDTree'].map((name) => reference(head(tags), name));
    const pages = reference(head(root), 'Pages')!;
    count += part.pages;
    lists.pages.push(pages + base);
    if (document !== undefined) lists.documents.push(document + base);
    if (parents !== undefined) lists.parents.push(parents + base);
    const dropped = new Set([root, info, tags, ids, ...kidsOf(head(ids)), reference(head(root), 'Dests')]);
    const names = tagNames(objects, index);
    if (names.size > 0) out.add(lists.ids[lists.ids.push(next++) - 1]!, namesTree(names, base));
    for (const [number, { head: written, stream }] of objects) {
      if (dropped.has(number)) continue;
      let text = written.replace(stringOrReference, (found, own?: string) =>
        own === undefined ? (names.get(found)?.renamed ?? found) : String(Number(own) + base),
      );
      text = text
        .replace(/\/A <<[^<>]*\/URI \(book:([^)]*)\)>>/, (_, id: string) => (places.has(id) ? `/Dest ${places.get(id)}` : ''))
        .replace(/\/(StructParents?) (\d+)/, (_, name: string, own: string) => `/${name} ${Number(own) + key}`);
      if (number === pages) text = text.replace('<<', `<</Parent ${pagesNumber} 0 R `);
      if (number === document) text = text.replace('/S /Document', '/S /Part').replace(/\/P \d+ 0 R/, `/P ${documentNumber} 0 R`);
      if (number === parents) text = withKeys(text, key);
      out.add(number + base, text, stream);
    }
    key += Number(/\/ParentTreeNextKey (\d+)/.exec(head(tags))?.[1] ?? 0);
  }
  const list = (numbers: number[]) => `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
  const total = addBookmarks(bookmarks, { out, places, next: () => next++ });
  const view = `/ViewerPreferences <</DisplayDocTitle true${book.dir === 'rtl' ? ' /Direction /R2L' : ''}>>`;
  out.add(
    catalogNumber,
    `<</Type /Catalog /Pages ${pagesNumber} 0 R /Lang ${pdfText(book.language)} /MarkInfo <</Marked true>> /StructTreeRoot ${tagsNumber} 0 R ${total > 0 ? `/Outlines ${outlineNumber} 0 R /PageMode /UseOutlines ` : ''}${view}>>`,
  );
  out.add(pagesNumber, `<</Type /Pages /Count ${count} /Kids ${list(lists.pages)}>>`);
  out.add(
    tagsNumber,
    `<</Type /StructTreeRoot /RoleMap <</Strong /Span /Em /Span>> /K ${documentNumber} 0 R /ParentTree ${parentsNumber} 0 R /ParentTreeNextKey ${key}${lists.ids.length > 0 ? ` /IDTree ${idsNumber} 0 R` : ''}>>`,
  );
  out.add(
    documentNumber,
    `<</Type /StructElem /S /Document /P ${tagsNumber} 0 R /Lang ${pdfText(book.language)} /K ${list(lists.documents)}>>`,
  );
  out.add(parentsNumber, `<</Kids ${list(lists.parents)}>>`);
  out.add(idsNumber, `<</Kids ${list(lists.ids)}>>`);
  const date = `(D:${book.modified.replace(/\D/g, '')}Z)`;
  const title = [book.title, book.version].filter(Boolean).join(' ');
  out.add(
    infoNumber,
    `<</Title ${pdfText(title)} ${book.description ? `/Subject ${pdfText(book.description)} ` : ''}/Creator ${pdfText(book.generator)} /Producer ${pdfText(parts[0]!.producer)} /CreationDate ${date} /ModDate ${date}>>`,
  );
  out.finish(`/Root ${catalogNumber} 0 R /Info ${infoNumber} 0 R`);
}

type Names = Map<string, { number: number; renamed: string }>;

/** The names of the tags in a part. Chromium's depend on how fast it reads; these sort as the parts and the objects do. */
function tagNames(objects: ReadonlyMap<number, PdfObject>, part: number): Names {
  const names: Names = new Map();
  const digits = (value: number) => String(value).padStart(6, '0');
  for (const [number, { head }] of objects) {
    const name = /\/ID (\(node\d+\))/.exec(head)?.[1];
    if (name !== undefined) names.set(name, { number, renamed: `(${digits(part)}node${digits(names.size)})` });
  }
  return names;
}

function namesTree(names: Names, base: number): string {
  const rows = [...names.values()];
  const list = rows.map(({ number, renamed }) => `${renamed} ${number + base} 0 R`);
  return `<</Limits [${rows[0]!.renamed} ${rows.at(-1)!.renamed}] /Names [${list.join(' ')}]>>`;
}

/** A tree of numbers whose keys are higher by `key`, as a branch of another. */
function withKeys(text: string, key: number): string {
  const pairs = [...text.matchAll(/(\d+) (\d+) 0 R/g)].map(([, own, number]): [number, string] => [Number(own) + key, number!]);
  const rows = pairs.map(([own, number]) => `${own} ${number} 0 R`);
  return `<</Limits [${pairs[0]?.[0] ?? key} ${pairs.at(-1)?.[0] ?? key}] /Nums [${rows.join(' ')}]>>`;
}

interface BookmarkOptions {
  out: ReturnType<typeof objectWriter>;
  places: ReadonlyMap<string, string>;
  next: () => number;
}

/** Returns how many there are. Those of chapters are closed. */
function addBookmarks(bookmarks: Bookmark[], { out, places, next }: BookmarkOptions): number {
  const ends = (numbers: number[]) =>
    numbers.length > 0 ? ` /First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R /Count ${numbers.length}` : '';
  const add = (level: Bookmark[], parent: number): number[] => {
    const numbers = level.map(next);
    for (const [index, { title, id, children }] of level.entries()) {
      const inside = ends(add(children, numbers[index]!)).replace('/Count ', '/Count -');
      const around = [
        index > 0 ? ` /Prev ${numbers[index - 1]} 0 R` : '',
        index < level.length - 1 ? ` /Next ${numbers[index + 1]} 0 R` : '',
      ];
      const place = places.has(id) ? ` /Dest ${places.get(id)}` : '';
      out.add(numbers[index]!, `<</Title ${pdfText(title)} /Parent ${parent} 0 R${around.join('')}${inside}${place}>>`);
    }
    return numbers;
  };
  const top = add(bookmarks, outlineNumber);
  out.add(outlineNumber, `<</Type /Outlines${ends(top)}>>`);
  return top.length;
}

function pdfText(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** Writes objects, those without a stream many at a time as compressed ones, and the table of all. */
function objectWriter(write: (bytes: Buffer) => void, next: () => number) {
  let offset = 0;
  /** Type, offset or number of the stream, and index in it. */
  const entries: [number, number, number][] = [];
  let waiting: [number: number, text: string][] = [];
  const put = (text: string) => {
    const bytes = Buffer.from(text, 'latin1');
    write(bytes);
    offset += bytes.length;
  };
  const putStream = (number: number, head: string, stream: string) => {
    entries[number] = [1, offset, 0];
    put(`${number} 0 obj\n${head} stream\n${stream}\nendstream\nendobj\n`);
  };
  const packed = (bytes: Buffer, more: string): [head: string, stream: string] => {
    const stream = deflateSync(bytes).toString('latin1');
    return [`<<${more} /Filter /FlateDecode /Length ${stream.length}>>`, stream];
  };
  const flush = () => {
    if (waiting.length === 0) return;
    const number = next();
    let at = 0;
    const starts = waiting.map(([one, text], index) => {
      entries[one] = [2, number, index];
      const start = `${one} ${at}`;
      at += text.length + 1;
      return start;
    });
    const list = `${starts.join(' ')}\n`;
    const bytes = Buffer.from(list + waiting.map(([, text]) => `${text}\n`).join(''), 'latin1');
    putStream(number, ...packed(bytes, `/Type /ObjStm /N ${waiting.length} /First ${list.length}`));
    waiting = [];
  };
  put('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  return {
    add(number: number, head: string, stream?: string): void {
      if (stream !== undefined) return putStream(number, head, stream);
      waiting.push([number, head]);
      if (waiting.length === 200) flush();
    },
    finish(trailer: string): void {
      flush();
      const number = next();
      const start = offset;
      entries[number] = [1, offset, 0];
      const table = Buffer.alloc((number + 1) * 9);
      for (let index = 0; index <= number; index++) {
        const [type, where, rank] = entries[index] ?? [0, 0, 0];
        table.writeUInt8(type, index * 9);
        table.writeUIntBE(where, index * 9 + 1, 6);
        table.writeUInt16BE(rank, index * 9 + 7);
      }
      putStream(number, ...packed(table, `/Type /XRef /W [1 6 2] /Size ${number + 1} ${trailer}`));
      put(`startxref\n${start}\n%%EOF\n`);
    },
  };
}
