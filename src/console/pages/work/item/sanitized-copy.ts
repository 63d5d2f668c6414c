import type { ResultOf } from '../../../../catalog'
import { StudioError } from '../../../../kernel'
import { letOthersRun } from '../../../../kernel/work/budget'
import { empty } from '../../../components/page-head'
import type { ConsolePage, PageRequest } from '../../../console-page'
import { operationForm } from '../../../forms/operation-form'
import { inputs } from '../../../forms/schema-inputs'
import { type Html, html, time } from '../../../html'
import { folderChoices } from '../../drafts'
import { itemPath } from '../../item-path'
import { alignTexts } from '../aligned-texts'
import { pairs } from '../field-inputs'
import { queryOf } from '../matching-items'
import { nameOfItem } from './item-facts'

type Copy = ResultOf<'drafts.copy-sanitize'>

/** What a clean copy of a work item would be, beside the original with everything marked that is removed. Nothing is saved before the form is sent. */
export const sanitizedCopyPage: ConsolePage = {
  section: 'drafts',
  access: 'workspace',
  async render(request) {
    const { run, params, may } = request
    const id = Number(params['id'])
    if (!(await may('drafts.copy-sanitize')))
      return { title: 'Copy', body: html`<h1>Copy</h1>${empty('You may read items and not copy them into drafts.')}` }
    const [item, folders] = await Promise.all([run('items.get', { id, cached: true }), run('folders.list', {})])
    const { copy, options, problem } = await planCopy(request, id)
    const lists = {
      'also[]': options.also,
      also: null,
      'customFields[]': options.customFields,
      customFields: null,
    }
    const hidden = { id, ...options, ...lists, planId: (copy as { planId?: string }).planId }
    // An operation separates the names by commas.
    const names = Object.keys(item.customFields ?? {}).filter((name) => !name.includes(','))
    return {
      title: `Copy of ${nameOfItem(item)}`,
      styles: ['work.css'],
      body: html`<h1>Copy ${nameOfItem(item)} into a clean draft</h1>
${problem === null ? '' : html`<p class="notice warn" role="status">No field of the tracker is copied: ${problem}</p>`}
${copy.source.stale ? html`<p class="notice warn" role="status">The tracker did not return the item, so this is revision ${copy.sourceRev} as it was read at ${time(copy.source.fetchedAt)}.</p>` : ''}
${copy.sourceRev === item.rev ? '' : html`<p class="notice warn" role="status">The draft is of revision ${copy.sourceRev}. The original below is revision ${item.rev}: read the item again to see both as they are.</p>`}
<form class="bar" method="get" data-auto>${inputs(
        'drafts.copy-sanitize',
        [
          { name: 'folderId', label: 'Folder', choices: folderChoices(folders) },
          { name: 'titleSuffix', label: 'Suffix of the title' },
          { name: 'also[]', label: 'Remove too' },
          ...(names.length === 0 ? [] : [{ name: 'customFields[]', label: 'Copy too', choices: pairs(names) }]),
        ],
        { values: options, inRow: true },
      )}
<button type="submit" class="quiet">Show</button></form>
<div class="bar">${operationForm('drafts.copy-sanitize', { hidden, word: 'Save as a draft' })} <a class="button quiet" href="${itemPath(id)}">Back to the item</a></div>
${removedKinds(copy)}
${beside(request, item, copy)}`,
    }
  },
}

/** Fields that must not be copied, such as the names of people, are left out. */
async function planCopy(request: PageRequest, id: number) {
  const options = readOptions(request)
  const plan = (chosen: typeof options) => request.run('drafts.copy-sanitize', { id, ...chosen, dryRun: true })
  try {
    return { copy: await plan(options), options, problem: null }
  } catch (error) {
    const isOfFields = error instanceof StudioError && error.details.some(({ path }) => path.startsWith('customFields'))
    if (!isOfFields) throw error
    const others = { ...options, customFields: [] }
    return { copy: await plan(others), options: others, problem: error.message }
  }
}

/** The choices of the form above the texts. */
function readOptions(request: Pick<PageRequest, 'url'>) {
  const query = queryOf(request)
  const [folderId, titleSuffix] = [Number(query.get('folderId')), query.get('titleSuffix')]
  return {
    ...(folderId > 0 ? { folderId } : {}),
    ...(titleSuffix ? { titleSuffix } : {}),
    // The operation checks them.
    also: query.getAll('also[]').filter((kind) => kind !== '') as never[],
    customFields: query.getAll('customFields[]').filter((name) => name !== ''),
  }
}

const fieldNames: Record<string, string> = { acceptanceCriteria: 'acceptance criteria', assignedTo: 'assignee' }

/** How often each kind is removed, and in which fields. */
function removedKinds({ sanitization: { removed } }: Copy): Html {
  if (removed.length === 0) return html`<p role="status">Nothing has to be removed.</p>`
  const kinds = [...new Set(removed.map(({ kind }) => kind))]
  return html`<ul class="kinds" aria-label="Removed">${kinds.map((kind) => {
    const own = removed.filter((one) => one.kind === kind)
    const total = own.reduce((sum, { count }) => sum + count, 0)
    const where = own.map(({ field, count }) => `${count} in ${fieldNames[field] ?? field}`).join(', ')
    return html`<li class="chip" title="${where}">${kind.replaceAll('-', ' ')} <span class="count">${total}</span></li>`
  })}</ul>`
}

type Item = ResultOf<'items.get'>

async function beside({ toMarkdown }: PageRequest, item: Item, copy: Copy): Promise<Html> {
  const original = async (text: string | null, format: Item['descriptionFormat']) =>
    text === null ? '' : (await toMarkdown(text, format ?? 'markdown')).trim()
  const parts: [title: string, before: string, after: string][] = [
    ['Title', item.title, copy.title],
    ['Description', await original(item.description, item.descriptionFormat), copy.description ?? ''],
    [
      'Acceptance criteria',
      await original(item.acceptanceCriteria, item.acceptanceCriteriaFormat),
      copy.acceptanceCriteria ?? '',
    ],
    ['Tags', item.tags.join('; '), copy.tags ?? ''],
    ['Assignee', item.assignedTo?.displayName ?? '', ''],
    ...Object.entries(copy.fields).map(([name, value]): [string, string, string] => [
      name,
      String(item.customFields?.[name] ?? ''),
      String(value ?? ''),
    ]),
  ]
  const drawn: Html[] = []
  for (const [title, before, after] of parts) {
    if (before === '' && after === '') continue
    drawn.push(await html`<h3>${title}</h3>${alignTexts(before, after.trim())}`)
    await letOthersRun()
  }
  return html`<div class="aligned"><div class="pair"><h2>Original</h2><h2>Clean draft</h2></div>${drawn}</div>`
}
