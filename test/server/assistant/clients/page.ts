// A page for React to render to: a window and a document of jsdom, and everything else Node's own, fetch and its signals above all.
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><html lang="en"><body></body></html>', { url: 'https://docs.example.com/' });
Object.assign(globalThis, { window, document: window.document });

export const page: Document = window.document;
