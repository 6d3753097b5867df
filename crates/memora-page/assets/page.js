// What links and forms do without it already: this adds keys, ties a sentence to its evidence, copies, and asks whether the index is fresh.
// It makes no markup of words, sends nothing but GET /fresh, and follows only links that stand on the page.
'use strict';
(() => {
  const all = (what, within = document) => Array.from(within.querySelectorAll(what));
  const one = (what, within = document) => within.querySelector(what);

  // A sentence and its evidence are tied while either is pointed at or focused.
  const numbersOf = (sentence) => (sentence.dataset.cites || '').split(' ').filter(Boolean);
  const tie = (numbers, on) => {
    for (const number of numbers) {
      const evidence = document.getElementById('e' + number);
      if (evidence) evidence.classList.toggle('tied', on);
      for (const sentence of all('.sentence')) {
        if (numbersOf(sentence).includes(number)) sentence.classList.toggle('tied', on);
      }
    }
  };
  const ties = (element, numbers) => {
    for (const [event, on] of [['mouseenter', true], ['mouseleave', false], ['focusin', true], ['focusout', false]]) {
      element.addEventListener(event, () => tie(numbers(), on));
    }
  };
  for (const sentence of all('.sentence')) ties(sentence, () => numbersOf(sentence));
  for (const evidence of all('.evidence')) ties(evidence, () => [evidence.dataset.number]);

  // Citations get a button to copy them.
  const copy = async (code, button) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'selected';
    }
    setTimeout(() => { button.textContent = 'copy'; }, 1500);
  };
  for (const code of all('.cite, .command code, .commands code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    button.setAttribute('aria-label', 'copy ' + code.textContent);
    button.addEventListener('click', () => copy(code, button));
    code.after(' ', button);
  }

  // j and k go through what the page lists; what is chosen has the focus.
  const steps = () => all('.sentence, .near, .claims > li, .memory, .checks > li, .guarded > li')
    .filter((step) => step.checkVisibility());
  let at = -1;
  const go = (by) => {
    const listed = steps();
    if (listed.length === 0) return false;
    at = Math.max(0, Math.min(listed.length - 1, at + by));
    for (const step of listed) step.classList.remove('here');
    const step = listed[at];
    step.classList.add('here');
    step.tabIndex = -1;
    step.focus({ preventScroll: true });
    step.scrollIntoView({ block: 'nearest' });
    const evidence = step.matches('.sentence') && document.getElementById('e' + numbersOf(step)[0]);
    if (evidence) evidence.scrollIntoView({ block: 'nearest' });
    return true;
  };
  const chosen = () => steps()[at];
  // What a key is about: the evidence of the chosen sentence, the chosen thing, or the first evidence.
  const subject = () => {
    const step = chosen();
    if (!step) return one('.evidence, .near');
    const evidence = step.matches('.sentence') && document.getElementById('e' + numbersOf(step)[0]);
    return evidence || step;
  };
  const follow = (what) => {
    const about = subject();
    const link = about && one(what, about);
    if (!link) return false;
    link.click();
    return true;
  };
  const press = (what) => {
    const found = one(what);
    if (found) found.click();
    return Boolean(found);
  };
  const openKeys = () => {
    const keys = document.getElementById('keys');
    keys.open = !keys.open;
    if (keys.open) one('summary', keys).focus();
    return true;
  };
  const ask = () => {
    const field = document.getElementById('q');
    if (!field) { location.assign('/'); return true; }
    field.focus();
    field.select();
    return true;
  };
  const keys = {
    '/': ask,
    '?': openKeys,
    j: () => go(1) || press('[rel=next]'),
    k: () => go(-1) || press('[rel=prev]'),
    o: () => follow('.obsidian'),
    w: () => follow('.why, .cite-link'),
    c: () => follow('.acts .cite + button'),
    u: () => press('#undo button'),
    Enter: () => chosen() === document.activeElement && follow('.passage'),
  };
  document.addEventListener('keydown', (event) => {
    const field = event.target.closest('input, textarea, select');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (field) {
      if (event.key === 'Escape') field.blur();
      return;
    }
    let act = keys[event.key];
    if (/^[1-9]$/.test(event.key)) {
      act = () => press(`#choices form:nth-of-type(${event.key}) button`);
    }
    if (act && act()) event.preventDefault();
  });

  // The place that a link leads to is brought into view, past what stands above it.
  const marked = one('.source mark, .source .asked');
  if (marked) marked.scrollIntoView({ block: 'center', behavior: 'instant' });

  // Whether the index is fresh, while somebody looks.
  const fresh = document.getElementById('fresh');
  if (fresh) {
    setInterval(async () => {
      if (document.hidden) return;
      try {
        const reply = await fetch('/fresh');
        fresh.textContent = reply.ok ? await reply.text() : 'memora cannot read the vault';
      } catch {
        fresh.textContent = 'memora browse has ended';
      }
    }, 5000);
  }
})();
