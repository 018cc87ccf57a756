// The real builds of the AI SDK that the endpoint is tried with. Their types differ, what is used of them does not.

/** A message as the builds of majors 5, 6 and 7 hold it. */
export interface UiMessage {
  id: string;
  role: string;
  parts: UiPart[];
  metadata?: { threadId?: string };
}

interface UiPart {
  type: string;
  state?: string;
  text?: string;
  url?: string;
  [key: string]: unknown;
}

export type Chunk = { type: string } & Record<string, unknown>;

export interface TransportOptions {
  api: string;
  headers?: Record<string, string>;
  body?: object | (() => object);
}

interface Request {
  chatId: string;
  messages: UiMessage[];
  trigger: 'submit-message' | 'regenerate-message';
  messageId: string | undefined;
  abortSignal: AbortSignal | undefined;
}

interface Transport {
  sendMessages(request: Request): Promise<ReadableStream<Chunk>>;
  reconnectToStream(request: { chatId: string }): Promise<ReadableStream<Chunk> | null>;
}

/** The package `ai` from major 5 on. */
interface AiPackage {
  DefaultChatTransport: new (options: TransportOptions) => Transport;
  readUIMessageStream(options: {
    stream: ReadableStream<Chunk>;
    onError: (error: unknown) => void;
  }): AsyncIterable<UiMessage> & ReadableStream<UiMessage>;
}

/** What `useChat` gives from major 5 on. */
export interface UseChatHelpers {
  messages: UiMessage[];
  status: string;
  error: Error | undefined;
  sendMessage(message: { text: string }): Promise<void>;
  stop(): Promise<void>;
  resumeStream(): Promise<void>;
}

/** The package `@ai-sdk/react` from major 5's on. */
interface ReactPackage {
  useChat(options: {
    id: string;
    transport: Transport;
    onFinish?: (event: { message: UiMessage; isAbort: boolean }) => void;
    onData?: (part: { type: string; data: unknown }) => void;
  }): UseChatHelpers;
}

export interface Build {
  /** As `npm ls` would say it. */
  name: string;
  /** Refuses keys that its schema does not list (`assistant-stream` of the SDK's releases: 5.0.217, 6.0.231 and 7.0.32 lifted it). */
  isStrict: boolean;
  ai(): Promise<AiPackage>;
  /** Absent for a build whose hook is not installed. */
  react?: () => Promise<ReactPackage>;
}

export const builds: Build[] = [
  {
    name: 'ai 5.0.277',
    isStrict: false,
    ai: () => as<AiPackage>(import('ai-5')),
    react: () => as<ReactPackage>(import('ai-sdk-react-5')),
  },
  {
    name: 'ai 6.0.326',
    isStrict: false,
    ai: () => as<AiPackage>(import('ai-6')),
    react: () => as<ReactPackage>(import('ai-sdk-react-6')),
  },
  {
    name: 'ai 7.0.173',
    isStrict: false,
    ai: () => as<AiPackage>(import('ai')),
    react: () => as<ReactPackage>(import('ai-sdk-react-7')),
  },
  { name: 'ai 5.0.216', isStrict: true, ai: () => as<AiPackage>(import('ai-5-strict')) },
  {
    name: 'ai 6.0.230',
    isStrict: true,
    ai: () => as<AiPackage>(import('ai-6-strict')),
    react: () => as<ReactPackage>(import('ai-sdk-react-6-strict')),
  },
  { name: 'ai 7.0.31', isStrict: true, ai: () => as<AiPackage>(import('ai-7-strict')) },
];

/** Those with a hook. */
export const hooks = builds.filter((build): build is Build & Required<Pick<Build, 'react'>> => build.react !== undefined);

async function as<Package>(module: Promise<unknown>): Promise<Package> {
  return (await module) as Package;
}
