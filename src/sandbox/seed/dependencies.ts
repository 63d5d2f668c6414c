import type { DependencyPlan } from './item-plan'

/** Which item waits for which. */
export const dependencies: readonly DependencyPlan[] = [
  { predecessor: 201, successor: 203, day: '2026-10-14', by: 'priya' },
  {
    predecessor: 215,
    successor: 205,
    day: '2026-11-04',
    by: 'tomas',
    comment: 'photos need the document store',
  },
  { predecessor: 203, successor: 206, day: '2026-11-05', by: 'priya' },
  {
    predecessor: 204,
    successor: 206,
    day: '2026-11-05',
    by: 'priya',
    comment: 'the driver is told by the same message',
  },
  { predecessor: 208, successor: 209, day: '2026-10-22', by: 'mei' },
  { predecessor: 210, successor: 211, day: '2026-11-06', by: 'mei' },
  { predecessor: 214, successor: 216, day: '2026-11-09', by: 'aoife' },
  { predecessor: 215, successor: 216, day: '2026-11-09', by: 'aoife' },
  { predecessor: 343, successor: 344, day: '2026-11-13', by: 'jonas' },
]
