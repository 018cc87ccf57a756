// What is used of packages that come without types, or whose types are not used.
declare module 'ai-7-strict';
declare module 'react' {
  export function createElement(component: () => null): object;
  export function useEffect(effect: () => void): void;
}
declare module 'react-dom/client' {
  export function createRoot(container: Element): { render(element: object): void; unmount(): void };
}
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { url?: string; contentType?: string });
    window: Window;
  }
}
