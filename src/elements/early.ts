// Runs in <head>, before the first paint, so that the appearance of the page does not change afterward.
import { applyChoice, readChoice, stores, systemIsDark } from './theme-choice.ts';

const root = document.documentElement;
root.classList.add('c-scripted');
root.classList.toggle('c-mac', /Mac|iPhone|iPad/.test(navigator.platform));
applyChoice(readChoice());
systemIsDark().addEventListener('change', () => applyChoice(readChoice()));

// Media can fail before the deferred script runs.
addEventListener('error', ({ target }) => target instanceof HTMLElement && target.setAttribute('data-carrel-failed', ''), true);

const banner = root.dataset['carrelBanner'];
if (banner && stores(() => localStorage.getItem('carrel-banner')) === banner) root.classList.add('c-banner-dismissed');
