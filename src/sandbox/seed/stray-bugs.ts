import type { ItemPlan } from './item-plan'

/** Bugs that nobody has put below anything. */
export const strayBugs: readonly ItemPlan[] = [
  {
    id: 507,
    type: 'Bug',
    title: 'Label printer in hall C prints the second label blank',
    state: 'New',
    area: 'floor',
    writtenOn: '2026-11-02',
    severity: '3 - Medium',
    text: '<div>Only with labels of 100&nbsp;×&nbsp;150. Printer was changed on 29 October.</div>',
  },
  {
    id: 508,
    type: 'Bug',
    title: 'Search for an article ignores a leading zero',
    state: 'Closed',
    area: 'floor',
    writtenOn: '2026-10-05',
    sprint: 22,
    assignee: 'diego',
    points: 1,
    severity: '4 - Low',
    text: '<div>Search for <code>00417</code>: found is <code>417</code>, another article.</div>',
  },
]
