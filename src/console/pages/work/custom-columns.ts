import type { ResultOf } from '../../../catalog'
import { StudioError } from '../../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { chips } from '../../components/menu'
import type { PageRequest } from '../../console-page'
import { type Html, html, time } from '../../html'
import { withParameters } from './facets'
import { withoutTracker } from './field-inputs'
import { type Column, isColumn } from './item-cells'
import { flatten } from './item-rows'
import type { MatchingItems } from './matching-items'

type Item = ResultOf<'items.list'>[number]
type FieldValue = NonNullable<Item['customFields']>[string]

/** Columns of fields of the tracker, by the names that the address or the view has. */
export interface CustomColumns {
  columns: ReadonlyMap<string, Column>
  /** Why some that were chosen are not shown. */
  problems: readonly string[]
}

/** Each link of the page names them all. */
const MAX_COLUMNS = 50

/** Reads the values of the cached items. A name that no field has, such as one of an old view, leaves the others. */
export async function readCustomColumns(
  { run }: Pick<PageRequest, 'run'>,
  names: readonly string[],
  filter: string | null,
): Promise<CustomColumns> {
  if (names.length > MAX_COLUMNS)
    throw new StudioError('too_complex', `The page takes at most ${MAX_COLUMNS} columns of the tracker.`)
  if (names.length === 0) return { columns: new Map(), problems: [] }
  try {
    const items = await run('items.list', { customFields: [...names], ...(filter === null ? {} : { filter }) })
    return createColumns(names, items)
  } catch (error) {
    if (!(error instanceof StudioError && error.code === 'invalid')) throw error
    const messages = error.details.map(({ message }) => message)
    const known = names.filter((name) => !messages.some((message) => message.startsWith(`"${name}" `)))
    const rest = known.length < names.length ? await readCustomColumns({ run }, known, filter) : null
    return { columns: rest?.columns ?? new Map(), problems: [...messages, ...(rest?.problems ?? [])] }
  }
}

function createColumns(names: readonly string[], items: readonly Item[]): CustomColumns {
  const values = new Map(items.map(({ id, customFields = {} }) => [id, customFields]))
  const shown = Object.keys(items[0]?.customFields ?? {})
  const columns = new Map<string, Column>()
  const problems: string[] = []
  for (const name of names) {
    const title = shown.find((one) => plainName(one) === plainName(name))
    if (title === undefined && shown.length > 0)
      problems.push(`Name the column "${name}" by the display name of the field.`)
    else
      columns.set(
        name,
        createColumn(title ?? name, (id) => values.get(id)?.[title ?? name] ?? null),
      )
  }
  return { columns, problems }
}

/** Names of fields are the same with other case, spaces and hyphens. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

function createColumn(title: string, read: (id: number) => FieldValue): Column {
  return {
    title,
    cell: ({ id }) => showFieldValue(read(id)),
    key: ({ id }) => {
      const value = read(id)
      return typeof value === 'boolean' ? String(value) : value
    },
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T/

/** The value of a field of the tracker as people read it. */
export function showFieldValue(value: FieldValue): Html | string | number {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)) ? time(value) : value
}

/** The fields that the trackers of the items have, as links that show or hide a column each. */
export async function fieldPanel(
  { run }: Pick<PageRequest, 'run'>,
  { trees, query }: Pick<MatchingItems, 'trees' | 'query'>,
  chosen: readonly string[],
): Promise<Html> {
  const trackers = [...new Set(flatten(trees).map(({ tracker }) => tracker))]
  const answers = await Promise.all(
    trackers.map((tracker) =>
      run('items.metadata', tracker === DEFAULT_TRACKER_NAME ? {} : { tracker }).catch(withoutTracker),
    ),
  )
  const fields = answers.flatMap((answer) => answer?.fields ?? [])
  // An address separates the names by commas, and long texts are no columns.
  const names = fields.filter(({ name, kind }) => kind !== 'text' && !name.includes(',')).map(({ name }) => name)
  const links = [...new Set([...names, ...chosen])]
    .filter((name) => !isColumn(name))
    .sort()
    .map((name) => {
      const isCurrent = chosen.includes(name)
      return { text: name, href: toggleColumn(query, chosen, name), isCurrent }
    })
  const silent = answers.includes(null)
    ? html`<p class="soft">A tracker does not answer, so its fields are not listed.</p>`
    : ''
  return html`<section class="card wide" id="fields" aria-label="Fields of the tracker"><h2>Fields of the tracker</h2>${links.length === 0 ? html`<p class="soft">There are none.</p>` : chips('Columns of the tracker', links)}${silent}
<p><a href="${withParameters(query, (next) => next.delete('fields'))}">Close</a></p></section>`
}

/** The address of the page with a column more, or without it. */
export function toggleColumn(query: URLSearchParams, chosen: readonly string[], name: string): string {
  const next = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]
  return withParameters(query, (parameters) => parameters.set('columns', next.join(',')))
}
