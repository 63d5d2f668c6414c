import type { ItemReader as Reader } from '../services/item-reader'
import { ItemReader } from '../services/item-reader'
import type { RetryingClient } from '../services/requests/retrying-client'
import type { ItemShape } from '../tracker'
import { mapItem, mapShape } from './map-item'
import { PAGE_SIZE, type ProjectClient } from './project-client'
import type { ProjectMetadata } from './project-metadata'
import { selectItem, selectShape, WireItem, WireShape } from './wire-item'

/** What reads and changes work items. */
export interface ItemParts {
  client: RetryingClient
  graphql: ProjectClient
  metadata: ProjectMetadata
  reader: Reader<WireItem>
}

/**
 * A query may have a complexity of 250, or 200 without a token. A list of a hundred items costs twice as much as its fields: some 110 for
 * whole items, and some 36 for their versions.
 */
const BATCH_SIZES = { items: PAGE_SIZE, shapes: 5 * PAGE_SIZE }

/** Reads work items by the numbers of their global IDs. */
export function createItemReader(graphql: ProjectClient): Reader<WireItem> {
  return new ItemReader<WireItem>({
    batchSizes: BATCH_SIZES,
    maxConcurrent: graphql.limits.maxConcurrent,
    mapItem,
    describeMissing: (id) => graphql.describeMissing(id),
    findRefusal: (id) => graphql.findRefusal(id),
    readWires: (ids, signal) =>
      graphql.queryItems(ids, { batchSize: BATCH_SIZES.items, fields: selectItem, shape: WireItem }, signal),
    async readShapes(ids, signal) {
      const query = { batchSize: BATCH_SIZES.shapes, fields: selectShape, shape: WireShape }
      const wires = await graphql.queryItems(ids, query, signal)
      return new Map([...wires].map(([id, wire]): [number, ItemShape] => [id, mapShape(wire)]))
    },
  })
}
