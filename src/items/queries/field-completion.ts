import type { TableReader } from '../../storage/embedded/engine/table-reader'
import { toReadableValue } from '../rules/custom-fields'
import type { TrackerFieldTable } from '../tables/tracker-tables'
import type { SnapshotTable, WorkItemTable } from '../tables/work-item-tables'

interface Assignment {
  /** `Risk=`, and with a value `Risk=1 - High`. */
  value: string
  name: string
}

/** Fields that every item has, with the columns of their values. */
const COLUMNS: Record<string, keyof WorkItemTable | null> = {
  Title: null,
  State: 'state',
  'Assigned To': 'assigned_name',
  'Area Path': 'area_path',
  'Iteration Path': 'iteration_path',
  Priority: 'priority',
  'Story Points': 'story_points',
  Tags: null,
  Description: null,
  'Acceptance Criteria': null,
}

/** More are not read, so that completion stays fast with a large cache. */
const MAX_ITEMS = 1_000

/** Fields that can be set, and after `Name=` the values that the latest cached items have. */
export function readAssignments(
  tables: TableReader,
  { beginning, limit }: { beginning: string; limit: number },
): Assignment[] {
  const equals = beginning.indexOf('=')
  const fields = [...tables.all<TrackerFieldTable>('tracker_field', ['reference_name', 'name', 'kind', 'read_only'])]
  const settable = fields.filter(({ read_only }) => read_only === 0)
  if (equals < 0) {
    const names = new Set([...Object.keys(COLUMNS), ...settable.map(({ name }) => name)])
    return [...names].filter((name) => name.startsWith(beginning)).map((name) => ({ value: `${name}=`, name: '' }))
  }
  const name = beginning.slice(0, equals)
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
  const references = settable.filter((field) => field.name === name && field.kind !== 'text')
  const found = new Set<string>()
  for (const value of column
    ? listColumn(tables, column)
    : listValues(
        tables,
        references.map((one) => one.reference_name),
      )) {
    const assignment = `${name}=${value}`
    if (value !== null && value !== '' && assignment.startsWith(beginning)) found.add(assignment)
    if (found.size === limit) break
  }
  return [...found].sort().map((value) => ({ value, name: '' }))
}

function* listColumn(tables: TableReader, column: keyof WorkItemTable): Generator<unknown> {
  let count = 0
  for (const row of tables.newest<WorkItemTable>('work_item', [column])) {
    if (++count > MAX_ITEMS) return
    yield row[column]
  }
}

function* listValues(tables: TableReader, references: readonly string[]): Generator<unknown> {
  let count = 0
  if (references.length === 0) return
  for (const { fields } of tables.newest<SnapshotTable>('snapshot', ['fields'])) {
    if (++count > MAX_ITEMS) return
    const values = JSON.parse(fields) as Record<string, unknown>
    for (const reference of references) if (Object.hasOwn(values, reference)) yield toReadableValue(values[reference])
  }
}
