import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { createItemDeletion } from '../../services/parts/deletion'
import { createFreeTransitions } from '../../services/parts/transitions'
import { toWorkItemId } from '../address'
import type { ItemParts } from '../item-reader'
import { STATES, toCategory } from '../map-item'
import { sendChange } from '../send-steps'

export const createTransitionReader = ({ reader, metadata }: ItemParts) =>
  createFreeTransitions(reader, async ({ type }, signal) => {
    const known = (await metadata.get(signal)).types.find(({ name }) => equalsIgnoringCase(name, type))
    const statuses = (known?.statuses ?? []).map((one) => ({ ...one, category: toCategory(one.category) }))
    return statuses.length > 0 ? statuses : STATES
  })

/** GitLab deletes an item for ever. */
export const createDeletion = ({ reader, graphql }: ItemParts) =>
  createItemDeletion({
    reader,
    limits: graphql.limits,
    /** A token that cannot read the project sees no items either, which says nothing of them. */
    async isDeleted(_, signal) {
      await graphql.queryProject({ select: () => 'fullPath' }, z.object({}), signal)
      return true
    },
    send: ({ id }, signal) =>
      sendChange({ name: 'workItemDelete', input: { id: toWorkItemId(id) } }, z.unknown(), graphql, signal),
  })
