import { sendOnce, toOutcome } from '../../services/change-result'
import { sendSteps } from '../../services/requests/graphql-mutations'
import type { ItemDeletion } from '../../tracker'
import { describeMissing, type IssueParts } from '../issue-reader'

/** What the tracker says of an issue that it does not show. */
export type ExplainAbsence = (numbers: readonly number[], signal: AbortSignal) => Promise<ReadonlyMap<number, string>>

/** The reason of `explainAbsence` for an issue that was deleted. */
export const DELETED = 'It was deleted.'

/** Deletes issues forever, which GitHub allows administrators and owners alone. Sub-issues stay. */
export function createItemDeletion({ reader, graphql }: IssueParts, explainAbsence: ExplainAbsence): ItemDeletion {
  const isDeleted = async (id: number, signal: AbortSignal) => (await explainAbsence([id], signal)).get(id) === DELETED
  return {
    async delete({ id, rev }, signal) {
      const wire = (await reader.source.readWires([id], signal)).get(id)
      if (wire === undefined) {
        const refusal = reader.source.findRefusal?.(id)
        if (refusal) throw refusal
        if (await isDeleted(id, signal)) return { status: 'deleted' }
        return { status: 'rejected', message: describeMissing(id), code: 'not_found' }
      }
      const { rev: present, changedAt } = reader.source.mapItem(wire)
      if (present !== rev)
        return { status: 'conflict', message: `It has changed since: it was last updated at ${changedAt}.` }
      const sending = sendSteps([[{ name: 'deleteIssue', input: { issueId: wire.id } }]], graphql, signal)
      const find = async (verification: AbortSignal) => ((await isDeleted(id, verification)) ? [] : null)
      const sent = await sendOnce(
        sending.then(([result]) => result!),
        find,
        { signal, limits: graphql.limits },
      )
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}
