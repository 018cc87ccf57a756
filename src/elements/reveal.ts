/** Opens whatever hides the element that the address names: accordions, other tabs, other views. */
export function revealTarget(): void {
  const id = decode(location.hash.slice(1));
  const target = id ? document.getElementById(id) : null;
  if (!target) return;
  let hidden = false;
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement && !place.open) hidden = place.open = true;
    if (place.hasAttribute('hidden')) {
      place.dispatchEvent(new Event('carrel-reveal'));
      hidden = true;
    }
  }
  if (hidden) target.scrollIntoView({ behavior: 'instant' });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
