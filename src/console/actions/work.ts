import type { OperationId } from '../../kernel'
import { mapValues } from '../../kernel/json'
import { takeResolutions } from '../conflicts/resolutions'
import type { Fields } from '../forms/form'
import { nestFields } from '../forms/form-fields'
import { html } from '../html'
import { itemPath } from '../pages/item-path'
import { describeProgress, renderRefinement } from '../refinement'
import type { Action, Actions } from './action'
import { draftBasis, draftContent, folderBasis, itemBasis } from './bases'

/** What forms do with work items, drafts, reports and the language model. */
export const workActions: Actions = {
  'features.import': { done: 'The feature was read from the tracker.' },
  'features.import-many': {
    done: 'The features were read from the tracker.',
    toInput: nestFields,
    show: async (answer) => (await import('../pages/work/import-results')).renderImportedFeatures(answer),
  },
  'items.import-single': {
    done: 'The items were read from the tracker.',
    toInput: nestFields,
    show: async (answer) => (await import('../pages/work/import-results')).renderImportedItems(answer),
  },
  'items.import-file': {
    done: 'The file was read.',
    toInput: nestFields,
    show: async (answer) => (await import('../pages/work/import-results')).renderImportedFile(answer),
  },
  'items.create': { done: 'The item was created.', toInput: nestFields, page: ({ id }) => itemPath(id) },
  'items.batch-update': {
    ...itemChange('items.batch-update', 'The item was changed.', toUpdates),
    basis: itemBasis,
  },
  'items.link': itemChange('items.link', 'The link was added.', splitIds),
  'items.unlink': itemChange('items.unlink', 'The link was removed.', splitIds),
  'items.move': itemChange('items.move', 'The item was moved.', nestFields),
  'items.assign': itemChange('items.assign', 'The item was assigned.', nestFields),
  'items.delete': { done: 'The item was deleted in the tracker.' },
  'items.restore': { done: 'The item is back.' },
  'items.attach': { done: 'The file was attached.' },
  'items.comment': { done: 'The comment was added.' },
  'items.edit-comment': { done: 'The comment was changed.' },
  'items.delete-comment': { done: 'The comment was deleted.' },
  'items.add-web-link': { done: 'The link was added.' },
  'items.remove-web-link': { done: 'The link was removed.' },
  'items.log-work': { done: 'The time was recorded.' },
  'queries.import': {
    done: 'The items were read from the tracker.',
    show: async (answer) => (await import('../pages/work/import-results')).renderImportedItems(answer),
  },
  'items.get': { done: 'The item was read from the tracker.' },
  'items.sync': { done: 'Changed items were read from the tracker.' },
  'views.save': { done: 'The view was saved.', toInput: nestFields, page: ({ id }) => `/console/work/views/${id}` },
  'views.delete': { done: 'The view was deleted.' },
  'filters.save': { done: 'The filter was saved.', toInput: nestFields },
  'filters.delete': { done: 'The filter was deleted.' },
  'filters.set-working': { done: 'The working filter was set.', toInput: nestFields },
  'filters.clear-working': { done: 'The working filter was cleared.' },
  'drafts.copy-sanitize': {
    done: 'The clean copy was saved as a draft.',
    toInput: nestFields,
    page: draftPath,
    // The new plan, if the item has changed since.
    show: ({ id, sourceItemId }) =>
      id === null
        ? html`<section class="card wide"><p>The copy would be another one now. <a href="${itemPath(sourceItemId)}/copy">Look at it</a></p></section>`
        : null,
  },
  'drafts.move': { done: 'The drafts were moved.', each: 'id' },
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
  'items.publish-draft': {
    done: 'The draft was published.',
    toInput: takeResolutions,
    show: async (answer, fields) =>
      answer.dryRun ? (await import('../conflicts/publication-plan')).renderPublicationPlan(answer, fields) : null,
    page: ({ draftId }) => `/console/drafts/${draftId}`,
  },
  'drafts.undo': { done: 'The version was restored.' },
  'drafts.delete': { done: 'The draft was deleted.' },
  'folders.create': { done: 'The folder was created.' },
  'folders.update': { done: 'The folder was changed.', basis: folderBasis },
  'folders.delete': { done: 'The folder was deleted.' },
  'priorities.set': { done: 'The priorities were saved.', toInput: toPriorities },
  'llm.chat': {
    done: 'The language model has answered.',
    show: ({ response, model }) =>
      html`<section class="card wide"><h3>${model}</h3><p class="text">${response}</p></section>`,
  },
}

/** A change of items in the tracker. It is shown as a plan, and later item by item, unless one item was changed as it should be. */
function itemChange(operation: OperationId, done: string, toInput: (fields: Fields) => Fields): Action {
  return {
    done,
    toInput,
    show: async (answer, fields) =>
      (await import('../pages/work/update-results')).renderUnlessDone(operation, answer, fields),
  }
}

function toUpdates({ tags, ...fields }: Fields): Fields {
  const changes = typeof tags === 'string' ? tags.split(',').map((tag) => tag.trim()) : []
  const given = changes.filter((tag) => tag !== '')
  return { ...nestFields(splitIds(fields)), ...(given.length > 0 && { tags: given }) }
}

/** IDs are typed with spaces or commas between them. */
function splitIds(fields: Fields): Fields {
  return mapValues(fields, (value, name) =>
    name.endsWith('Ids') && typeof value === 'string' && value.trim() !== ''
      ? value.split(/[\s,]+/).filter((id) => id !== '')
      : value,
  )
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
