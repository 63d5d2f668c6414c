import type { z } from 'zod'
import type { checkFreshness } from '../../src/items/operations/check-freshness'
import { type Canvas, printableLine } from '../layout'

type Answer = z.infer<typeof checkFreshness.output>

const said: Record<Answer['reason'], (answer: Answer) => string> = {
  fresh: ({ localRev }) => `The snapshot is what the tracker has: revision ${localRev}.`,
  revision: ({ localRev, remoteRev }) => `The tracker has revision ${remoteRev}, the snapshot ${localRev}.`,
  relations: ({ localRev }) => `Revision ${localRev} is the same, and its links differ.`,
  'never-fetched': ({ remoteRev, fromFile }) =>
    `${fromFile ? fileText(fromFile) : 'There is no snapshot'}; the tracker has revision ${remoteRev}.`,
}

export function renderFreshness(answer: Answer, { colors }: Canvas): string {
  const mend = answer.isFresh ? '' : ` Fetch it: studio item get ${answer.id}`
  const mark = answer.isFresh ? colors.good('✓') : colors.warn('!')
  return `${mark} #${answer.id} ${said[answer.reason](answer)}${mend}\n`
}

function fileText({ name, asOf, importedAt }: NonNullable<Answer['fromFile']>): string {
  return `The snapshot was read from ${printableLine(name)} (${asOf === null ? `imported ${importedAt}` : `as of ${asOf}`}), not from the tracker`
}
