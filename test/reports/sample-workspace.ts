import type { ReportItem } from '../../src/reports/rules/report-item'

/** An item with defaults for all fields that a test does not set. */
export function item(id: number, overrides: Partial<ReportItem> = {}): ReportItem {
  return {
    id,
    tracker: 'default',
    reference: `#${id}`,
    type: 'User Story',
    level: 1,
    title: `Item ${id}`,
    state: 'New',
    stateCategory: 'Proposed',
    assignedTo: null,
    areaPath: 'Shop',
    iterationPath: 'Shop\\Sprint 7',
    tags: [],
    storyPoints: null,
    priority: null,
    parentId: null,
    blocked: [],
    changedAt: '2026-11-10T08:00:00.000Z',
    fetchedAt: '2026-11-18T09:30:00.000Z',
    isFromFile: false,
    ...overrides,
  }
}

const priya = { displayName: 'Priya Nair', uniqueName: 'priya@example.com' }
const mia = { displayName: 'Mia Chen', uniqueName: 'mia@example.com' }

const feature = { type: 'Feature', level: 2 }
const task = { type: 'Task', level: 0 }
const active = { state: 'Active', stateCategory: 'InProgress' } as const
const closed = { state: 'Closed', stateCategory: 'Completed' } as const
const removed = { state: 'Removed', stateCategory: 'Removed' } as const

/** A small shop: an epic with a story of its own, three features, and a bug without a parent. */
export const shop: ReportItem[] = [
  item(90, { type: 'Epic', level: 3, title: 'Returns without a phone call', ...active, storyPoints: 100 }),

  item(101, { ...feature, ...active, parentId: 90, title: 'Self-service returns', storyPoints: 40, assignedTo: priya }),
  item(111, { ...closed, parentId: 101, title: 'Choose the items to send back', storyPoints: 5, assignedTo: mia }),
  item(112, {
    ...active,
    parentId: 101,
    title: 'Print the return label',
    storyPoints: 8,
    assignedTo: mia,
    blocked: [{ by: 'predecessor', itemId: 131, evidence: 'waits for #131 Sign the carrier contract' }],
  }),
  item(113, { parentId: 101, title: 'Refund to the original card' }),
  item(114, { parentId: 101, title: 'Tell the customer where the parcel is' }),
  item(115, { ...removed, parentId: 101, title: 'Fax the return form', storyPoints: 13 }),
  item(121, { ...task, ...closed, parentId: 112, title: 'Draw the label' }),
  item(122, {
    ...task,
    ...active,
    parentId: 112,
    title: 'Ask the carrier for a test account',
    changedAt: '2026-10-20T08:00:00.000Z',
    assignedTo: priya,
  }),

  item(102, { ...feature, ...active, parentId: 90, title: 'Carrier onboarding' }),
  item(131, { ...active, parentId: 102, title: 'Sign the carrier contract', storyPoints: 3, assignedTo: priya }),
  item(132, {
    ...closed,
    parentId: 102,
    title: 'Compare offers',
    storyPoints: 2,
    changedAt: '2026-09-01T08:00:00.000Z',
  }),

  item(103, { ...feature, ...closed, title: 'Order history', assignedTo: mia, changedAt: '2026-10-30T08:00:00.000Z' }),
  item(141, {
    ...closed,
    parentId: 103,
    title: 'List past orders',
    storyPoints: 5,
    changedAt: '2026-10-30T08:00:00.000Z',
  }),

  item(151, { parentId: 90, title: 'Write the returns policy', storyPoints: 1 }),
  item(161, {
    type: 'Bug',
    ...active,
    title: 'Total is wrong | with `two` vouchers',
    storyPoints: 2,
    fetchedAt: '2026-11-17T16:00:00.000Z',
    tags: ['Blocked'],
    blocked: [{ by: 'tag', itemId: null, evidence: 'tagged Blocked' }],
  }),
]
