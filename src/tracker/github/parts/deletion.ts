import * as z from 'zod'
import { createItemDeletion } from '../../services/parts/deletion'
import { sendStep } from '../../services/requests/graphql-mutations'
import type { IssueParts } from '../issue-reader'

/** What the tracker says of an issue that it does not show. */
export type ExplainAbsence = (numbers: readonly number[], signal: AbortSignal) => Promise<ReadonlyMap<number, string>>

/** The reason of `explainAbsence` for an issue that was deleted. */
export const DELETED = 'It was deleted.'

/** Deletes issues forever, which GitHub allows administrators and owners alone. Sub-issues stay. */
export const createDeletion = ({ reader, graphql }: IssueParts, explainAbsence: ExplainAbsence) =>
  createItemDeletion({
    reader,
    limits: graphql.limits,
    isDeleted: async (id, signal) => (await explainAbsence([id], signal)).get(id) === DELETED,
    send: ({ id }, signal) => sendStep({ name: 'deleteIssue', input: { issueId: id } }, z.unknown(), graphql, signal),
  })
