import { ItemReader } from '../services/item-reader'
import type { ItemShape } from '../tracker'
import { type IssueMapping, mapIssue, mapShape } from './map-issue'
import type { HasField, RepositoryClient } from './repository-client'
import type { RepositoryMetadata } from './repository-metadata'
import { selectIssue, selectShape, WireIssue, WireShape } from './wire-issue'

export type IssueReader = ItemReader<WireIssue>

/** What reads and changes issues. */
export interface IssueParts {
  graphql: RepositoryClient
  mapping: IssueMapping
  metadata: RepositoryMetadata
  reader: IssueReader
}

const BATCH_SIZES = { items: 100, shapes: 500 }

/** Reads issues by their numbers. */
export function createIssueReader(graphql: RepositoryClient, mapping: IssueMapping): IssueReader {
  const hasBoard = mapping.board !== null
  return new ItemReader<WireIssue>({
    batchSizes: BATCH_SIZES,
    maxConcurrent: graphql.limits.maxConcurrent,
    mapItem: (wire) => mapIssue(wire, mapping),
    describeMissing,
    readWires(ids, signal) {
      const fields = (has: HasField) => selectIssue(has, hasBoard)
      return graphql.queryIssues(ids, { batchSize: BATCH_SIZES.items, fields, shape: WireIssue }, signal)
    },
    async readShapes(ids, signal) {
      const fields = (has: HasField) => selectShape(has, hasBoard)
      const wires = await graphql.queryIssues(ids, { batchSize: BATCH_SIZES.shapes, fields, shape: WireShape }, signal)
      return new Map([...wires].map(([id, wire]): [number, ItemShape] => [id, mapShape(wire, mapping)]))
    },
  })
}

export function describeMissing(id: number): string {
  return `Issue ${id} does not exist in the repository, or your token cannot read it.`
}
