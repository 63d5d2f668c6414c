import { bars } from '../charts/bars'
import { completionChart, cycleTimeChart } from '../charts/flow-charts'
import { attention } from '../components/attention'
import { appointmentState, badge, itemState, type Tone } from '../components/badge'
import { facts } from '../components/facts'
import { chips, menu } from '../components/menu'
import { empty, pageHead } from '../components/page-head'
import { progress } from '../components/progress'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { type Html, html, number, table, time } from '../html'
import { pageLinks } from '../page-links'

/** Longer than any line, so that a part that cannot break it is seen. */
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2)

/** Every part of the design system once, with texts that are short, long and empty. For who works on the console. */
export const galleryPage: ConsolePage = {
  section: 'home',
  access: 'public',
  async render({ now }) {
    return {
      title: 'Gallery',
      styles: ['reports.css'],
      body: html`${pageHead({ title: 'Gallery', about: 'Every part of the console, in the theme of the browser', actions: [html`<a class="button" href="#buttons">First</a>`, menu('Menu', html`<a href="#tables">An entry</a><button type="button">Another entry</button>`)] })}
${pageLinks('Parts', { '#text': 'Text', '#buttons': 'Buttons', '#states': 'States' }, '#text')}
${part('Text', html`<p>A paragraph with a <a href="#text">link</a>, <code>code</code>, <kbd>Ctrl K</kbd>, <mark>a mark</mark>, <ins>added</ins> and <del>removed</del> text, ${time(new Date(now - 5_400_000).toISOString())}. <span class="soft">And soft text.</span></p><p>${LONG_WORD}</p>`)}
${part('Buttons', html`<div class="bar"><button type="button">First action</button> <button type="button" class="quiet">Another action</button> <button type="button" class="danger">Delete</button> <button type="button" disabled>Working</button> <a class="button quiet" href="#buttons">A link</a></div>`)}
${part('Messages', html`<p class="notice" role="status">It was done.</p><p class="notice warn">It may not be what you expect.</p><p class="error">It was refused, and this says what to do.</p>`)}
${part('Forms', await forms())}
${part('States', states())}
${part(
  'Filters',
  chips('Filter', [
    { text: 'All', href: '#filters', count: 128, isCurrent: true },
    { text: 'Late', href: '#filters', count: 3 },
    { text: LONG_WORD.slice(0, 60), href: '#filters' },
  ]),
)}
${part(
  'Needs a person',
  attention([
    {
      tone: 'bad',
      state: 'in conflict',
      title: 'PO-1042',
      href: '#states',
      about: 'Door 4, 10:30, Nordic Freight',
      action: html`<a class="button quiet" href="#states">Move</a>`,
    },
    { tone: 'warn', state: 'late', title: LONG_WORD, href: '#states', about: '35 minutes' },
    { tone: 'info', state: 'no estimate', title: '4 open items', href: '#states' },
  ]),
)}
${part(
  'Facts',
  facts([
    ['Carrier', 'Nordic Freight'],
    ['Reference', LONG_WORD],
    ['Seal', null],
  ]),
)}
${part('Tables', tables())}
${part('Nothing yet', empty('There is nothing here yet.', html`<a class="button" href="#text">Begin</a>`))}
${part('What opens', html`<details><summary>Closed</summary><p>Content</p></details><details open><summary>Open</summary><p>Content</p></details>`)}
${part('Charts', charts())}`,
    }
  },
}

function part(title: string, body: Html): Html {
  return html`<section aria-label="${title}"><h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${title}</h2>${body}</section>`
}

async function forms(): Promise<Html> {
  const card = await operationForm('drafts.save', {
    className: 'card',
    head: html`<h3>A form in a card</h3>`,
    fields: ['title', { name: 'description', rows: 3 }, 'storyPoints', 'tags'],
    key: 'card-',
    word: 'Save',
  })
  const row = await operationForm('folders.create', {
    className: 'bar',
    fields: ['name'],
    key: 'row-',
    inRow: true,
    word: 'Create',
  })
  return html`${card}${row}`
}

const tones: readonly Tone[] = ['plain', 'info', 'good', 'warn', 'bad', 'off']

function states(): Html {
  const items = (['Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed'] as const).map((category) =>
    itemState(category, category),
  )
  const trucks = [
    { status: 'scheduled', step: null },
    { status: 'scheduled', step: 'checked_in' },
    { status: 'scheduled', step: 'at_door' },
    { status: 'scheduled', step: 'no_show' },
    { status: 'completed', step: 'completed' },
    { status: 'cancelled', step: null },
    { status: 'scheduled', step: null, conflict: 'closed' },
  ] as const
  return html`<p>${tones.map((tone) => html`${badge(tone, tone)} `)}</p><p>${items.map((item) => html`${item} `)}</p><p>${trucks.map((truck) => html`${appointmentState(truck)} `)}</p><p>${progress(0.4, '4 of 10 items')}</p>`
}

function tables(): Html {
  const rows = [
    ['A title', 3, 'Ana'],
    [LONG_WORD, 12.5, 'no one'],
  ] as const
  return table(
    'Rows',
    ['Title', number('Points'), 'Owner', 'State'],
    rows.map(
      ([title, points, owner]) =>
        html`<tr><th scope="row"><a href="#tables">${title}</a></th><td class="number">${points}</td><td>${owner}</td><td>${badge('info', 'Active')}</td></tr>`,
    ),
  )
}

function charts(): Html {
  const weeks = [3, 5, 2, 8, 6].map((items, index) => ({
    week: `2026-10-${String(5 + index * 7).padStart(2, '0')}`.replace('-33', '-30'),
    isWhole: index < 4,
    items,
    points: items * 2,
    remainingItems: 30 - items * index,
    remainingPoints: 60,
  }))
  const completed = [2, 5, 3.5, 9, 21, 4, 6, 1, 7, 12].map((days, index) => ({
    id: index + 1,
    reference: `#${index + 1}`,
    title: 'An item',
    completedAt: `2026-10-${String(2 + index * 3).padStart(2, '0')}T10:00:00Z`,
    days,
  }))
  const flow = {
    weeks,
    throughput: null,
    cycleTime: { items: 10, p50: 5, p85: 12, p95: 21 },
    completed,
    notes: [],
  }
  return html`<div class="charts"><section>${completionChart(flow)}</section><section>${cycleTimeChart(flow)}</section><section>${bars(
    'Bars',
    [
      { text: 'one', value: 4 },
      { text: 'two', value: 9 },
    ],
  )}</section></div>`
}
