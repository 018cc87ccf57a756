import { element } from '../shared/elements.ts';
import { adoptPageStyle } from '../shared/style.ts';
import { feedbackIn } from './texts.ts';

export interface Vote {
  helpful: boolean;
  comment?: string;
}

/**
 * Asks at the end of a page of our theme whether it helped, once in a session. `vote` is called with the choice, and again with a comment.
 * Without the end of a page, or where the site does not want it, it does nothing.
 */
export function offerFeedback(path: string, vote: (vote: Vote) => void): void {
  const end = document.querySelector('.c-page-end:not([data-carrel-feedback=off])');
  if (!end || hasVoted(path)) return;
  const texts = feedbackIn(document.documentElement.lang);
  const field = element('textarea', {
    rows: '3',
    maxlength: '1000',
    'aria-label': texts.comment,
    placeholder: texts.comment,
    dir: 'auto',
  });
  const form = element('form', {}, field, element('button', {}, texts.send));
  const thanks = element('p', { role: 'status', tabindex: '-1' });
  let helpful: boolean | undefined;
  const buttons = [true, false].map((value) => {
    const button = element('button', { type: 'button', 'aria-pressed': 'false' }, value ? texts.yes : texts.no);
    button.addEventListener('click', () => {
      if (helpful !== undefined) return;
      helpful = value;
      button.ariaPressed = 'true';
      for (const one of buttons) one.setAttribute('aria-disabled', 'true');
      rememberVote(path);
      vote({ helpful });
      thanks.textContent = texts.thanks;
      form.hidden = false;
    });
    return button;
  });
  form.hidden = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const comment = field.value.trim();
    if (comment === '') return field.focus();
    vote({ helpful: helpful === true, comment });
    form.hidden = true;
    // The button that had the focus is hidden now.
    thanks.focus();
  });
  adoptPageStyle(style);
  end.prepend(
    element(
      'div',
      { class: 'c-page-feedback', role: 'group', 'aria-labelledby': 'carrel-page-feedback' },
      element('p', { id: 'carrel-page-feedback' }, texts.helpful),
      element('div', { class: 'c-page-feedback-choice' }, ...buttons),
      thanks,
      form,
    ),
  );
}

const key = (path: string) => `carrel-feedback ${path}`;

function hasVoted(path: string): boolean {
  try {
    return sessionStorage.getItem(key(path)) !== null;
  } catch {
    return false;
  }
}

function rememberVote(path: string): void {
  try {
    sessionStorage.setItem(key(path), '');
  } catch {
    // Where storage is blocked, the page asks again; the server counts a visitor once a day.
  }
}

const style = `
.c-page-feedback { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1rem; margin-block-end: 1.5rem; font-size: 0.9375rem; }
.c-page-feedback p { margin: 0; color: var(--heading); }
.c-page-feedback [role=status] { color: var(--muted); outline: none; }
.c-page-feedback-choice { display: flex; gap: 0.5rem; }
.c-page-feedback button {
  min-width: 4rem; min-height: 2.25rem; padding: 0 0.9rem; border: 1px solid var(--border-strong); border-radius: var(--radius);
  background: var(--background); color: var(--heading); font: inherit; cursor: pointer;
}
.c-page-feedback button:hover:not([aria-disabled]) { background: var(--hover); }
.c-page-feedback button[aria-pressed=true] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.c-page-feedback button[aria-disabled] { cursor: default; }
.c-page-feedback button[aria-disabled]:not([aria-pressed=true]) { color: var(--muted); }
.c-page-feedback form { flex-basis: 100%; display: grid; justify-items: start; gap: 0.5rem; max-width: 34rem; }
.c-page-feedback form[hidden] { display: none; }
.c-page-feedback textarea {
  box-sizing: border-box; width: 100%; padding: 0.5rem 0.7rem; border: 1px solid var(--border-strong); border-radius: var(--radius);
  background: var(--background); color: var(--text); font: inherit; resize: vertical;
}
.c-page-feedback :is(button, textarea):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (pointer: coarse) { .c-page-feedback button { min-height: 2.75rem; } .c-page-feedback textarea { font-size: 1rem; } }
@media (forced-colors: active) { .c-page-feedback button[aria-pressed=true] { outline: 2px solid Highlight; } }
`;
