import { createItemDeletion, createItemRestoring } from '../../services/parts/deletion'
import { createFreeTransitions } from '../../services/parts/transitions'
import { explainAbsence } from '../find-issues'
import type { IssueParts } from '../issue-reader'
import { NOTHING } from '../linear-client'
import { toCategory } from '../map-issue'

export const createTransitionReader = ({ reader, metadata }: IssueParts) =>
  createFreeTransitions(reader, async (_, signal) =>
    (await metadata.get(signal)).states.map(({ name, type }) => ({ name, category: toCategory(type) })),
  )

/** Moves issues to the trash, from which they can be restored for some time. */
export const createTrashing = ({ linear, reader }: IssueParts) =>
  createItemDeletion({
    reader,
    limits: linear.limits,
    async isDeleted(id, signal) {
      const reasons = await explainAbsence([id], linear, signal)
      return reasons.get(id)?.startsWith('Deleted') ?? false
    },
    send: ({ id }, signal) => linear.change('issueDelete', { id: ['String!', id] }, NOTHING, signal),
  })

/** Brings issues back from the trash. */
export const createRestoring = ({ linear, reader }: IssueParts) =>
  createItemRestoring({
    limits: linear.limits,
    async find(id, signal) {
      const wire = (await reader.source.readWires([id], signal)).get(id)
      return wire === undefined ? null : reader.source.mapItem(wire)
    },
    send: (id, signal) =>
      linear.change('issueUnarchive', { id: ['String!', `${linear.team.key}-${id}`] }, NOTHING, signal),
  })
