// What benchmarks use of the packages in test/bench/package.json, which a check of the types goes without.
declare module 'lunr' {
  interface Builder {
    field(name: string): void;
    add(document: object): void;
  }
  interface Query {
    term(tokens: unknown, options: object): void;
  }
  const lunr: {
    (build: (builder: Builder) => void): { query(ask: (query: Query) => void): { ref: string }[] };
    tokenizer(text: string): unknown;
  };
  export default lunr;
}

declare module 'flexsearch' {
  export class Document {
    constructor(options: object);
    add(document: object): void;
    search(question: string, options: object): { id: unknown }[];
  }
}

declare module '@orama/orama' {
  type Index = object;
  export function create(options: object): Index;
  export function insertMultiple(index: Index, documents: object[]): Promise<void>;
  export function search(index: Index, options: object): Promise<{ hits: { id: string }[] }>;
}

declare module 'autocannon' {
  interface Result {
    non2xx: number;
    errors: number;
    requests: { average: number };
    latency: { p99: number };
  }
  export default function autocannon(options: object): Promise<Result>;
}
