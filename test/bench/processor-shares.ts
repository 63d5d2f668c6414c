import { availableParallelism } from 'node:os'
import { type ControlGroup, createControlGroup } from './control-group'

/** Processes that run as if they had a small machine of their own. */
export interface Machine {
  name: string
  /** Processes that they start later belong to it too. */
  pids: readonly number[]
  /** The part of a processor that they may use. */
  share: number
}

/** Short, so that a machine that has used its share pauses only for some milliseconds. */
const PERIOD_US = 10_000

/**
 * Runs `work` while each machine may use no more than its share of a processor, whatever the others leave unused. The shares must fit on
 * this machine, so that no machine takes time from another one. Null where control groups cannot be used.
 */
export async function withShares<Result>(
  machines: readonly Machine[],
  work: () => Promise<Result>,
): Promise<Result | null> {
  const sum = machines.reduce((total, { share }) => total + share, 0)
  if (sum > availableParallelism()) {
    console.log(`  own processors: skipped, for ${sum.toFixed(1)} of them are needed`)
    return null
  }
  const groups: ControlGroup[] = []
  try {
    for (const machine of machines) {
      const group = createGroup(machine)
      if (!group) {
        console.log('  own processors: skipped, for they need control groups of Linux, and the right to create them')
        return null
      }
      groups.push(group)
      for (const pid of machine.pids) group.add(pid)
    }
    return await work()
  } finally {
    for (const group of groups) group.remove()
  }
}

function createGroup({ name, share }: Machine): ControlGroup | null {
  const quota = String(Math.round(share * PERIOD_US))
  return createControlGroup({
    name,
    controller: 'cpu',
    ofSecond: { 'cpu.max': `${quota} ${PERIOD_US}` },
    ofFirst: { 'cpu.cfs_period_us': String(PERIOD_US), 'cpu.cfs_quota_us': quota },
  })
}
