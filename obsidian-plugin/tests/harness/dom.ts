// What Obsidian adds to the DOM, as far as the plugin uses it.

interface Info { cls?: string | string[]; text?: string | DocumentFragment; attr?: Record<string, string | number | boolean | null>; title?: string; type?: string; placeholder?: string; href?: string }

function make(tag: string, info: Info | string = {}): HTMLElement {
  const element = document.createElement(tag);
  const { cls = [], text, attr = {}, ...more } = typeof info === 'string' ? { cls: info } : info;
  element.className = [cls].flat().join(' ');
  if (text !== undefined) element.append(text);
  for (const [name, value] of Object.entries({ ...attr, ...more })) element.setAttribute(name, String(value));
  return element;
}

function append(this: Node, tag: string, info?: Info | string): HTMLElement {
  return this.appendChild(make(tag, info));
}

Object.assign(Node.prototype, {
  createEl: append,
  createDiv(this: Node, info?: Info | string) { return append.call(this, 'div', info); },
  createSpan(this: Node, info?: Info | string) { return append.call(this, 'span', info); },
  appendText(this: Node, text: string) { this.appendChild(document.createTextNode(text)); },
  empty(this: Node) { while (this.firstChild) this.firstChild.remove(); },
});
Object.assign(HTMLElement.prototype, {
  addClass(this: HTMLElement, ...classes: string[]) { this.classList.add(...classes); },
});
Object.assign(globalThis, { createDiv: (info?: Info | string) => make('div', info) });
