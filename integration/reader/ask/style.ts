import { colors } from '../shared/style.ts';

/** Line drawings of the panel's buttons by their classes, as path data on a 24 by 24 field. */
const icons: Record<string, string> = {
  close: 'M6 6l12 12M18 6 6 18',
  new: 'M12 5v14M5 12h14',
  history: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5M12 8v4.5l3 1.8',
  send: 'M12 19.5V5M5.5 11.5 12 5l6.5 6.5',
  stop: 'M8 8h8v8H8z',
  copy: 'M9 8.5h10.5v12H9zM15.5 8V3.5H4.5v12H8.5',
  done: 'm5 12.5 5 5L19.5 7',
  // The other way round for `down`.
  'up::before, .icon.down':
    'M7 11v9H4v-9zM7 11l4-8c1.7 0 2.5 1.2 2.2 2.8L12.5 9H19c1 0 1.7 1 1.5 2l-1.6 7.5c-.2.9-1 1.5-1.9 1.5H7',
};

const drawn = Object.entries(icons).map(
  ([names, path]) =>
    `.icon.${names}::before { mask-image: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='1.9' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='${path}'/%3E%3C/svg%3E"); }`,
);

/** Stylesheet of the panel's shadow tree. */
export const askStyle = `
${colors}
:host { --tint: color-mix(in oklab, var(--strong) 6%, var(--ground)); }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); margin: 0; }
dialog {
  position: fixed; z-index: var(--carrel-layer, 1000); inset-block: 0; inset-inline: auto 0;
  width: min(25rem, 100vw); max-width: none; height: 100dvh; max-height: none;
  margin: 0; padding: 0; border: 0; border-inline-start: 1px solid var(--line);
  background: var(--ground); color: var(--text);
  font: 400 0.9375rem/1.6 system-ui, sans-serif;
  font-family: var(--carrel-font, inherit);
}
dialog[open] { display: flex; flex-direction: column; }
dialog:modal { box-shadow: 0 0 64px rgb(0 0 0 / 35%); }
dialog::backdrop { background: rgb(10 12 16 / 45%); }
.head { display: flex; align-items: center; gap: 0.25rem; flex: none; padding-block: 0.6rem; padding-inline: 1.1rem 0.75rem; border-bottom: 1px solid var(--line); }
h2 { flex: 1; margin: 0; color: var(--strong); font-size: 1rem; font-weight: 650; }
h3, h4, .about, .thanks, .notice { color: var(--muted); font-size: 0.8125rem; }
h3, h4 { margin: 0 0 0.35rem; font-weight: 600; }
button { font: inherit; color: inherit; cursor: pointer; }
:is(button, textarea, a, [tabindex]):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.icon { display: grid; place-items: center; flex: none; width: 2rem; height: 2rem; padding: 0; border: 0; border-radius: 0.45rem; background: none; color: var(--muted); }
.icon::before { content: ''; width: 1.1rem; height: 1.1rem; background: currentColor; mask: center / contain no-repeat; forced-color-adjust: none; }
.icon:hover, .icon[aria-pressed=true], .icon[aria-expanded=true] { background: var(--tint); color: var(--strong); }
.icon[aria-pressed=true] { color: var(--accent); }
${drawn.join('\n')}
.icon.down::before { scale: -1; }
.body { flex: 1; min-height: 0; padding: 1rem 1.1rem; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.starters, .past, .comment, .suggestions ul, .sources ul { display: flex; flex-direction: column; align-items: start; gap: 0.5rem; }
.starters { min-height: 100%; justify-content: end; }
.starters h3 { color: var(--strong); font-size: 1.125rem; font-weight: 650; }
.plain { padding: 0.35rem 0.75rem; border: 1px solid var(--line); border-radius: 0.6rem; background: none; color: var(--text); font-size: 0.875rem; text-align: start; overflow-wrap: anywhere; }
.plain:hover { border-color: var(--muted); color: var(--strong); background: var(--tint); }
.past .clear { border-color: transparent; color: var(--muted); text-decoration: underline; }
.question { width: fit-content; max-width: 88%; margin: 0 0 1rem; margin-inline-start: auto; padding: 0.5rem 0.85rem; border-radius: 0.85rem; background: var(--tint); color: var(--strong); overflow-wrap: anywhere; }
.question p { margin: 0; white-space: pre-wrap; }
.answer { margin: 0 0 1.75rem; overflow-wrap: anywhere; }
.text > :first-child { margin-top: 0; }
.text :is(p, ul, ol, pre, blockquote, .table) { margin: 0 0 0.75em; }
.text .heading { margin-top: 1.1em; color: var(--strong); font-weight: 650; }
.text :is(ul, ol) { padding-inline-start: 1.4em; }
.text li { margin-bottom: 0.25em; }
.text strong { color: var(--strong); font-weight: 600; }
.text blockquote { padding-inline-start: 0.85rem; border-inline-start: 3px solid var(--line); }
a { color: var(--accent); }
.citation { padding: 0 0.1em; font-size: 0.8em; font-weight: 600; text-decoration: none; }
.citation:hover { text-decoration: underline; }
code { padding: 0.1em 0.3em; border-radius: 0.3em; background: var(--tint); font: 0.875em var(--carrel-font-code, ui-monospace, Menlo, Consolas, monospace); }
pre { padding: 0.75rem 0.85rem; border-radius: 0.6rem; background: var(--tint); }
.code { margin: 0 0 0.75em; border-radius: 0.6rem; background: var(--tint); }
.code pre { margin: 0; padding-top: 0.15rem; background: none; }
.code-head { display: flex; align-items: center; justify-content: space-between; padding: 0.15rem 0.15rem 0 0.85rem; color: var(--muted); font: 0.75rem/1.4 var(--carrel-font-code, ui-monospace, Menlo, Consolas, monospace); direction: ltr; }
.code-head .icon { width: 1.75rem; height: 1.75rem; }
.code-head .icon::before { width: 0.95rem; height: 0.95rem; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
pre, .table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; overflow-wrap: normal; }
:is(th, td) { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
th { color: var(--strong); font-weight: 600; }
hr { border: 0; border-top: 1px solid var(--line); }
ul.about, .suggestions ul, .sources ul, .chips { margin: 0; padding: 0; list-style: none; }
.sources:not(:empty) { margin-top: 0.75rem; }
.sources a { display: flex; gap: 0.5rem; color: var(--text); font-size: 0.875rem; text-decoration: none; }
.sources a:hover { color: var(--accent); text-decoration: underline; }
.number { flex: none; min-width: 1.35rem; height: 1.35rem; border: 1px solid var(--line); border-radius: 0.35rem; color: var(--muted); font-size: 0.75rem; line-height: 1.3rem; text-align: center; }
.fault:not(:empty) { margin-top: 0.75rem; }
.fault p { margin: 0.25rem 0 0.5rem; color: var(--strong); }
.row, .actions, .chips { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.actions { align-items: center; margin-top: 0.5rem; margin-inline-start: -0.4rem; }
.thanks { margin: 0 0.4rem; }
.comment { flex-basis: 100%; padding: 0.4rem; }
textarea { width: 100%; padding: 0.4rem 0.6rem; border: 1px solid var(--muted); border-radius: 0.6rem; background: var(--ground); color: var(--strong); font: inherit; resize: none; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.progress { display: flex; align-items: center; gap: 0.6rem; margin: 0; color: var(--muted); }
.progress::before { content: ''; flex: none; width: 0.6rem; height: 0.6rem; border-radius: 1rem; background: var(--accent); }
@media (prefers-reduced-motion: no-preference) {
  .progress::before { animation: waiting 1.2s ease-in-out infinite; }
  @keyframes waiting { 50% { opacity: 0.25; } }
}
dialog > form { flex: none; padding: 0.75rem 1.1rem 0.9rem; border-top: 1px solid var(--line); }
.chips { margin-bottom: 0.5rem; }
.chips:empty { display: none; }
.chip { display: flex; align-items: center; max-width: 100%; padding-inline-start: 0.6rem; border-radius: 0.5rem; background: var(--tint); font-size: 0.8125rem; }
.chip span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chip .icon { width: 1.75rem; height: 1.75rem; }
.chip .icon::before { width: 0.8rem; height: 0.8rem; }
.chips .plain { padding: 0.15rem 0.6rem; border-style: dashed; font-size: 0.8125rem; }
.field { display: flex; align-items: end; gap: 0.5rem; }
.field textarea { field-sizing: content; min-height: 2.6rem; max-height: 10rem; padding: 0.5rem 0.75rem; }
.send { width: 2.6rem; height: 2.6rem; border-radius: 0.6rem; background: var(--strong) !important; color: var(--ground) !important; }
.notice { margin: 0.6rem 0 0; line-height: 1.45; }
@media (max-width: 40rem) {
  dialog { width: 100%; border: 0; }
  .field textarea { font-size: 1rem; }
}
@media (forced-colors: active) {
  .icon::before { background: ButtonText; }
  .question, .chip { border: 1px solid CanvasText; }
}
@media print { dialog { display: none !important; } }
`;

/** Makes room for the panel beside the page. */
export const besideStyle = `
@media screen and (min-width: 80rem) {
  :root[data-ask-open] body { padding-inline-end: 25rem; }
}
`;
