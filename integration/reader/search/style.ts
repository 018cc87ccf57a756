import { colors } from '../shared/style.ts';
import { searchIcon } from '../shared/search-icon.ts';

/** Stylesheet of the dialog's shadow tree. */
export const searchStyle = `
${colors}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); margin: 0; }
dialog {
  width: min(41rem, calc(100vw - 2rem));
  max-width: none;
  max-height: min(80dvh, 40rem);
  margin: min(10vh, 6rem) auto auto;
  padding: 0;
  border: 1px solid var(--line);
  border-radius: 0.9rem;
  background: var(--ground);
  color: var(--text);
  font: 400 0.9375rem/1.5 system-ui, sans-serif;
  font-family: var(--carrel-font, inherit);
  box-shadow: 0 24px 64px -12px rgb(0 0 0 / 45%);
  overflow: hidden;
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(10 12 16 / 45%); }
.field { display: flex; align-items: center; gap: 0.75rem; flex: none; padding: 0 1rem; }
.field::before {
  content: ''; flex: none; width: 1.15rem; height: 1.15rem; background: var(--muted);
  mask: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='2' stroke-linecap='round'%3E%3Cpath d='${searchIcon}'/%3E%3C/svg%3E");
}
input[role=combobox] {
  flex: 1; min-width: 0; height: 3.5rem; padding: 0; border: 0; outline: 0; background: none;
  color: var(--strong); font: inherit; font-size: 1.0625rem;
}
input[role=combobox]::placeholder { color: var(--muted); opacity: 1; }
button { font: inherit; color: var(--muted); cursor: pointer; }
button:hover { color: var(--strong); }
:is(button, input[type=checkbox]):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.close::before { content: 'Esc'; }
.close { padding: 0.05rem 0.45rem; border: 1px solid var(--line); border-radius: 0.35rem; background: none; font-size: 0.75rem; }
.areas { display: flex; flex: none; gap: 0.4rem; padding: 0 1.25rem 0.75rem; overflow-x: auto; scrollbar-width: none; }
.areas label { flex: none; padding: 0.2rem 0.7rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--muted); font-size: 0.8125rem; cursor: pointer; }
.areas label:has(:checked) { border-color: var(--accent); color: var(--accent); }
.areas label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px; }
.areas input { appearance: none; margin: 0; outline: 0; }
[role=listbox] { flex: 1; min-height: 0; padding: 0.25rem 0.6rem 0.6rem; border-top: 1px solid var(--line); overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.group + .group { margin-top: 0.35rem; padding-top: 0.35rem; border-top: 1px solid var(--line); }
.page { display: flex; align-items: center; gap: 0.5rem; padding: 0.75rem 0.65rem 0.3rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.c-tag { padding: 0 0.4em; border: 1px solid var(--line); border-radius: 0.3rem; color: var(--strong); font-size: 0.6875rem; font-weight: 600; }
.c-tag-get { color: var(--carrel-get, var(--strong)); }
.c-tag-post { color: var(--carrel-post, var(--strong)); }
.c-tag-put { color: var(--carrel-put, var(--strong)); }
.c-tag-patch { color: var(--carrel-patch, var(--strong)); }
.c-tag-delete { color: var(--carrel-delete, var(--strong)); }
.section .c-tag { margin-inline-start: 0.5rem; }
.version { padding: 0 0.4em; border: 1px solid var(--line); border-radius: 0.3rem; font-size: 0.75rem; font-weight: 500; }
[role=option] { display: block; padding: 0.5rem 0.65rem; border-radius: 0.5rem; color: var(--text); text-decoration: none; cursor: pointer; }
[role=option][aria-selected=true] { background: color-mix(in oklab, var(--accent) 12%, transparent); outline: 1px solid transparent; }
.section { display: block; color: var(--strong); font-weight: 550; overflow-wrap: anywhere; }
.excerpt { display: block; min-height: 1.5em; font-size: 0.875rem; overflow-wrap: anywhere; }
mark { padding: 0.05em 0.15em; margin: 0 -0.15em; border-radius: 0.25em; background: light-dark(#ffe9a3, #5c4a12); color: var(--strong); }
.line { overflow-wrap: anywhere; }
.trail { color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
.section .trail { margin-inline-start: 0.6rem; }
.line .version { margin-inline-start: 0.5rem; color: var(--muted); }
.more { color: var(--muted); font-size: 0.8125rem; }
.message { margin: 0; padding: 1.5rem; border-top: 1px solid var(--line); color: var(--muted); text-align: center; overflow-wrap: anywhere; }
.message:has(+ [role=listbox] a) { padding: 0.6rem 1.25rem; font-size: 0.8125rem; text-align: start; }
.message:not([hidden]) + [role=listbox]:has(a) { border-top: 0; }
.hints { padding: 1.5rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.875rem; text-align: center; }
.hints p { margin: 0 0 0.35rem; }
kbd { display: inline-block; min-width: 1.5em; margin-inline-end: 0.4em; padding: 0 0.35em; border: 1px solid var(--line); border-radius: 0.3rem; font: inherit; font-size: 0.75rem; text-align: center; }
.clear { align-self: start; margin: 0 1rem 0.75rem; font-size: 0.8125rem; }
.foot { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.6rem 1.25rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.8125rem; }
.keys { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
:is(.ask, .help, .clear) { padding: 0.15rem 0.4rem; border: 0; border-radius: 0.3rem; background: none; }
.ask { margin-inline-start: auto; color: var(--accent); text-decoration: underline; text-underline-offset: 0.2em; }
.foot label { display: inline-flex; align-items: center; gap: 0.5rem; cursor: pointer; }
.foot input { margin: 0; accent-color: var(--accent); }
@media print { dialog { display: none !important; } }
@media (pointer: coarse), (max-width: 40rem) {
  .keys, .help { display: none; }
  .areas label { padding: 0.45rem 0.9rem; }
  .foot:not(:has(> :is(.ask, label):not([hidden]))) { display: none; }
  .close { display: grid; place-items: center; flex: none; width: 2.75rem; height: 2.75rem; margin-inline-end: -0.75rem; border: 0; }
  .close::before {
    content: ''; width: 1.25rem; height: 1.25rem; background: currentColor;
    mask: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='2' stroke-linecap='round'%3E%3Cpath d='M6 6l12 12M18 6L6 18'/%3E%3C/svg%3E");
  }
}
@media (max-width: 40rem) {
  dialog { width: 100%; max-width: 100%; height: 100dvh; max-height: none; margin: 0; border: 0; border-radius: 0; }
}
@media (forced-colors: active) {
  [role=option][aria-selected=true] { outline: 2px solid Highlight; }
}
`;
