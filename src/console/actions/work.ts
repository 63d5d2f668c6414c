import { mapValues } from '../../kernel/json'
import type { Fields } from '../forms/form'
import { nestFields } from '../forms/form-fields'
import { html } from '../html'
import { describeProgress, renderRefinement } from '../refinement'
import type { Actions } from './action'
import { draftBasis, draftContent } from './bases'

/** What forms do with work items, drafts, reports and the language model. */
export const workActions: Actions = {
  'features.import': { done: 'The feature was read from the tracker.' },
  'items.get': { done: 'The item was read from the tracker.' },
  'items.sync': { done: 'Changed items were read from the tracker.' },
  'views.save': { done: 'The view was saved.', toInput: nestFields, page: ({ id }) => `/console/work/views/${id}` },
  'views.delete': { done: 'The view was deleted.' },
  'drafts.copy-sanitize': { done: 'The clean copy was saved as a draft.', page: draftPath },
  'drafts.save': {
    done: 'The draft was saved.',
    page: draftPath,
    basis: draftBasis,
    refresh: async (draft, toPageHtml) => ({
      values: { updatedAt: draft.updatedAt, ...mapValues(draftContent(draft), (value) => String(value ?? '')) },
      parts: { preview: String(await (await import('../pages/draft')).renderPreview(toPageHtml, draft)) },
    }),
  },
  'drafts.refine': {
    done: 'The language model has answered.',
    show: renderRefinement,
    progress: describeProgress,
  },
  'drafts.undo': { done: 'The version was restored.' },
  'drafts.delete': { done: 'The draft was deleted.' },
  'folders.create': { done: 'The folder was created.' },
  'folders.delete': { done: 'The folder was deleted.' },
  'priorities.set': { done: 'The priorities were saved.', toInput: toPriorities },
  'llm.chat': {
    done: 'The language model has answered.',
    show: ({ response, model }) =>
      html`<section class="card wide"><h3>${model}</h3><p class="text">${response}</p></section>`,
  },
}

function draftPath({ id }: { id: number }): string {
  return `/console/drafts/${id}`
}

/** The chosen features in the order of the form. A button moves one of them: `up-101`. */
function toPriorities(fields: Fields): Fields {
  const { designated = [] } = nestFields({ 'designated[]': [], ...fields }) as { designated?: unknown[] }
  const [direction, id] = String(fields['move'] ?? '').split('-')
  const from = designated.indexOf(id)
  const to = direction === 'up' ? from - 1 : from + 1
  return { designated: from < 0 ? designated : swap(designated, from, to) }
}

/** The same list if one of the places does not exist. */
function swap(list: readonly unknown[], a: number, b: number): unknown[] {
  return b in list ? list.with(a, list[b]).with(b, list[a]) : [...list]
}
