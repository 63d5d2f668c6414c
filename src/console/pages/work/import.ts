import { assetUrl } from '../../assets'
import { pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { html } from '../../html'
import { importForms } from './import-forms'

/** Reads items of the tracker, or of a file, into the workspace. */
export const importPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const { service } = request
    const sync = operationForm('items.sync', {
      hidden: { next: '/console/work' },
      className: 'card',
      head: html`<h2>What is imported already</h2>`,
      fields: ['full'],
      word: 'Read changes from the tracker',
      quiet: true,
    })
    return {
      title: 'Import',
      styles: ['work.css'],
      body: html`${pageHead({ title: 'Import', actions: service.isOffered('part:queries') ? html`<a class="button quiet" href="/console/work/queries">Queries of the tracker</a>` : '' })}${importForms(request)}${sync}
<script type="module" src="${assetUrl('work.js')}"></script>`,
    }
  },
}
