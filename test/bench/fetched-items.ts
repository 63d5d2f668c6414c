import type { ReportItem } from '../../src/reports/rules/report-item'
import type { TrackerItem } from '../../src/tracker'

const DESCRIPTION = `<p>${'What somebody wants, and why, in a few sentences of a story. '.repeat(12)}</p>`
const CRITERIA = '<ul><li>Given that, when this is done, then it can be seen.</li></ul>'.repeat(3)

/** Items as a tracker returns them, with texts of typical length. */
export function fetchedItems(items: readonly ReportItem[]): TrackerItem[] {
  return items.map(({ blocked, fetchedAt: _, ...known }) => ({
    ...known,
    key: String(known.id),
    rev: 3,
    areaPath: 'Shop',
    tags: blocked.length > 0 ? ['Blocked'] : [],
    priority: 2,
    attachments: [],
    predecessorIds: [],
    successorIds: [],
    relatedIds: [],
    blockedField: false,
    description: { format: 'html', text: DESCRIPTION },
    acceptanceCriteria: { format: 'html', text: CRITERIA },
    createdAt: null,
    url: `https://tracker.example/shop/_workitems/edit/${known.id}`,
    markdownFields: [],
    relationsFingerprint: `f${known.id}`,
    fields: {
      'System.Title': known.title,
      'System.State': known.state,
      'System.ChangedDate': known.changedAt,
      'Microsoft.VSTS.Common.ActivatedDate': known.changedAt,
      'Microsoft.VSTS.Common.ClosedDate': known.stateCategory === 'Completed' ? known.changedAt : undefined,
      'System.Description': DESCRIPTION,
    },
  }))
}
