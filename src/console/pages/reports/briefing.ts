import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { inputs } from '../../forms/schema-inputs'
import { html } from '../../html'
import { richText } from '../../rich-text'
import { reportLinks } from './report-links'

/** The briefing by fixed rules, as a page to print. */
export const briefingPage: ConsolePage = {
  section: 'reports',
  access: 'workspace',
  async render({ run, toPageHtml, query }) {
    const since = query['since'] || null
    // Without the explanation, the text names a command that prints it.
    const { markdown, basis } = await run('reports.briefing', { mode: 'deterministic', since, explain: true })
    return {
      title: 'Briefing',
      body: html`${pageHead({ title: 'Briefing', actions: html`<button type="button" class="quiet" data-print>Print</button>` })}
${reportLinks('/console/reports/briefing')}
<form class="bar" method="get" data-auto>${inputs('reports.briefing', [{ name: 'since', label: 'Changes since', attributes: { type: 'date' } }], { values: { since }, inRow: true })}<button type="submit" class="quiet">Show</button></form>
${basis.asOf === null ? empty('There is nothing to report on yet.', html`<a class="button" href="/console/work">Import work items</a>`) : richText(toPageHtml, markdown)}`,
    }
  },
}
