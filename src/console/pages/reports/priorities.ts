import type { ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import { assetUrl } from '../../assets'
import { progress } from '../../components/progress'
import type { ConsolePage } from '../../console-page'
import { type Html, html } from '../../html'
import { itemName, itemPath } from '../item-path'
import { reportLinks } from './report-links'

type Feature = ResultOf<'priorities.get'>['available'][number]

const HERE = '/console/reports/priorities'

/** More features than these are found by their titles. */
const MAX_OTHERS = 500

/** Chooses the features that come first in reports, and their order. */
export const prioritiesPage: ConsolePage = {
  section: 'reports',
  access: 'workspace',
  async render({ run, may, query: { title = '' } }) {
    const { designated, available } = await run('priorities.get', {})
    const chosen = available.filter(({ id }) => designated.includes(id))
    const others = available.filter(({ id }) => !designated.includes(id)).filter((feature) => matches(feature, title))
    return {
      title: 'Priorities',
      body: html`<h1>Priorities</h1>
${reportLinks(HERE)}
<p>The chosen features come first in reports and in the briefing, in this order.</p>
${available.length > MAX_OTHERS ? searchForm(title) : ''}
${available.length === 0 ? html`<p>There are no features yet. <a href="/console/work">Import one</a> first.</p>` : (await may('priorities.set')) ? orderForm(chosen, others) : orderOf(chosen)}`,
    }
  },
}

function matches(feature: Feature, title: string): boolean {
  return feature.title.toLowerCase().includes(title.trim().toLowerCase())
}

function searchForm(title: string): Html {
  return html`<form class="bar" method="get" role="search"><label>Other features with the title <input type="search" name="title" value="${title}"></label>
<button type="submit" class="quiet">Search</button></form>`
}

/** For who may not change it. */
function orderOf(chosen: readonly Feature[]): Html {
  if (chosen.length === 0) return html`<p>No features are chosen yet.</p>`
  return html`<ol>${chosen.map(({ id, reference, title }) => html`<li><a href="${itemPath(id)}">${itemName({ reference })}</a> ${title}</li>`)}</ol>`
}

/** Its first button saves. The buttons of a feature move it: in the page where a script runs, else they save too. */
function orderForm(chosen: readonly Feature[], others: readonly Feature[]): Html {
  const hidden = others.length - MAX_OTHERS
  return html`<form method="post" action="/console/run/priorities.set"><input type="hidden" name="next" value="${HERE}">
<div class="bar sticky"><button type="submit">Save the order</button> <output></output> <span class="error" role="alert"></span></div>
<ol id="ranking" class="ranking">${chosen.map((feature) => entry(feature, true))}${others.slice(0, MAX_OTHERS).map((feature) => entry(feature, false))}</ol></form>
${hidden > 0 ? html`<p>And ${pluralize(hidden, 'feature')} more: search for ${hidden === 1 ? 'its title' : 'their titles'}.</p>` : ''}
<script type="module" src="${assetUrl('priorities.js')}"></script>`
}

function entry({ id, reference, title, state, completion }: Feature, isChosen: boolean): Html {
  return html`<li><label class="choice"><input type="checkbox" name="designated[]" value="${id}"${isChosen ? html` checked` : ''}> ${title}</label>
<span><a href="${itemPath(id)}" aria-label="Feature ${itemName({ reference })}: ${title}">${itemName({ reference })}</a> <span class="soft">${state}</span> ${completion === null ? '' : progress(completion, '')}</span>
<span class="moves"><button type="submit" class="quiet" name="move" value="up-${id}" aria-label="Move ${title} up">▲</button>
<button type="submit" class="quiet" name="move" value="down-${id}" aria-label="Move ${title} down">▼</button></span></li>`
}
