import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { columnsOfView, sortOfView } from './saved-tabs'
import { renderWork } from './work'

/** The items of a saved view, with its columns in its order. */
export const workViewPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const view = await request.run('views.get', { view: request.params['id']! })
    return renderWork(request, {
      tab: `/console/work/views/${view.id}`,
      isList: true,
      title: view.name,
      filter: String(view.id),
      columns: columnsOfView(view),
      sort: sortOfView(view),
      foot: operationForm('views.delete', {
        hidden: { view: view.id, next: '/console/work' },
        confirm: `Delete the view ${view.name}?`,
        word: 'Delete this view',
        quiet: true,
      }),
    })
  },
}
