import { runDiagrams } from '../../integration/reader/run-script.ts';

/** Draws the diagrams of a page as soon as one of them is about a screen away. */
export function drawDiagrams(): void {
  const figures = [...document.querySelectorAll<HTMLElement>('.c-diagram-source')];
  if (figures.length === 0) return;
  let begun = false;
  const draw = () => {
    if (begun) return;
    begun = true;
    observer.disconnect();
    // Where the scripts cannot be loaded, the source stays.
    runDiagrams(figures).catch((error: unknown) => console.error(error));
  };
  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw(), {
    rootMargin: '100% 0px',
  });
  for (const figure of figures) observer.observe(figure);
  addEventListener('beforeprint', draw);
}
