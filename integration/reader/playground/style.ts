import { colors } from '../shared/style.ts';

/** Stylesheet of the playground's shadow tree. */
export const playgroundStyle = `
${colors}
:host { --tint: color-mix(in oklab, var(--strong) 6%, var(--ground)); --fault: light-dark(#b3261e, #ff8a80); }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
dialog {
  width: min(72rem, 96vw); max-width: none; height: min(52rem, 94dvh); max-height: none; padding: 0;
  border: 1px solid var(--line); border-radius: 0.9rem; background: var(--ground); color: var(--text);
  font: 400 0.875rem/1.5 system-ui, sans-serif; font-family: var(--carrel-font, inherit);
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(10 12 16 / 45%); }
.head { display: flex; align-items: center; gap: 0.75rem; flex: none; padding: 0.65rem 1rem; border-bottom: 1px solid var(--line); }
h2 { flex: 1; min-width: 0; margin: 0; color: var(--strong); font-size: 1rem; font-weight: 650; overflow-wrap: anywhere; }
h2 code { margin-inline: 0.5rem; color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
h3 { margin: 0 0 0.6rem; color: var(--strong); font-size: 0.875rem; font-weight: 650; }
section { margin-top: 1.4rem !important; }
section, fieldset { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.6rem; color: var(--strong); font-weight: 650; }
.columns { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
.columns > * { min-width: 0; overflow-y: auto; padding: 1rem; scrollbar-width: thin; }
.columns > :last-child { border-inline-start: 1px solid var(--line); }
@media (max-width: 48rem) {
  .columns { display: block; overflow-y: auto; }
  .columns > * { overflow: visible; }
  .columns > :last-child { border: 0; border-top: 1px solid var(--line); }
}
.field { margin-bottom: 0.75rem; }
label { display: block; margin-bottom: 0.25rem; color: var(--strong); font-size: 0.8125rem; overflow-wrap: anywhere; }
label span { color: var(--muted); font-weight: 400; unicode-bidi: isolate; }
label.field { margin-block: 0.75rem; }
label.field :is(input, select) { margin-top: 0.25rem; }
label.check { display: flex; gap: 0.5rem; align-items: center; color: var(--text); }
input:not([type=checkbox]), select, textarea {
  width: 100%; padding: 0.4rem 0.6rem; border: 1px solid var(--line); border-radius: 0.45rem;
  background: var(--ground); color: var(--strong); font: inherit;
}
textarea, pre { font-family: ui-monospace, monospace; font-size: 0.8125rem; line-height: 1.5; }
textarea { min-height: 4rem; resize: vertical; }
textarea.body { min-height: 12rem; }
[aria-invalid=true] { border-color: var(--fault) !important; }
.fault { margin: 0.25rem 0 0; color: var(--fault); font-size: 0.8125rem; overflow-wrap: anywhere; }
.hint { margin: 0 0 0.75rem; color: var(--muted); font-size: 0.8125rem; }
button { padding: 0.4rem 0.85rem; border: 1px solid var(--line); border-radius: 0.45rem; background: none; color: var(--strong); font: inherit; cursor: pointer; }
button:hover { background: var(--tint); }
button.send { border-color: transparent; background: var(--strong); color: var(--ground); font-weight: 600; }
:is(button, input, select, textarea, summary, pre):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.row { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin-bottom: 0.75rem; }
.row select { width: auto; }
ul { margin: 0.5rem 0; padding: 0; list-style: none; max-height: 12rem; overflow-y: auto; }
li button { width: 100%; margin-bottom: 0.25rem; text-align: start; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.75rem; max-height: 24rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--tint); color: var(--strong); white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin: 0 0 0.75rem; }
summary { cursor: pointer; color: var(--strong); }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.15rem 0.75rem; margin: 0.5rem 0; font-size: 0.8125rem; overflow-wrap: anywhere; }
dd { margin: 0; }
img, audio { max-width: 100%; }
.status { margin: 0 0 0.75rem; color: var(--strong); }
`;
