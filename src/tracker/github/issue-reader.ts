import * as z from 'zod'
import { ItemReader } from '../services/item-reader'
import type { TrackerError } from '../services/requests/tracker-error'
import type { ItemShape } from '../tracker'
import { findBoardItem, selectBoardItems, WireBoardItems } from './board/board-item'
import { type Board, createMissingBoardError, selectOwnBoard, WireBoard } from './board/project-board'
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
  const refusals = new Map<number, TrackerError>()
  return new ItemReader<WireIssue>({
    batchSizes: BATCH_SIZES,
    maxConcurrent: graphql.limits.maxConcurrent,
    mapItem: (wire) => mapIssue(wire, mapping),
    describeMissing,
    findRefusal: (id) => refusals.get(id) ?? null,
    readWires(ids, signal) {
      const query = {
        batchSize: BATCH_SIZES.items,
        fields: (has: HasField) => selectIssue(has, hasBoard),
        shape: WireIssue,
      }
      return readIssues<WireIssue>(ids, query, { graphql, mapping, refusals }, signal)
    },
    async readShapes(ids, signal) {
      const query = {
        batchSize: BATCH_SIZES.shapes,
        fields: (has: HasField) => selectShape(has, hasBoard),
        shape: WireShape,
      }
      const wires = await readIssues<WireShape>(ids, query, { graphql, mapping, refusals }, signal)
      return new Map([...wires].map(([id, wire]): [number, ItemShape] => [id, mapShape(wire)]))
    },
  })
}

export function describeMissing(id: number): string {
  return `Issue ${id} does not exist in the repository, or your token cannot read it.`
}

const WireOwner = z.object({ owner: z.object({ projectV2: WireBoard.nullish() }) })

/** Reads issues together with the board, so that their values are those of its fields. */
async function readIssues<Wire extends WireShape>(
  ids: readonly number[],
  query: { batchSize: number; fields(has: HasField): string; shape: z.ZodType },
  { graphql, mapping, refusals }: Pick<IssueParts, 'graphql' | 'mapping'> & { refusals: Map<number, TrackerError> },
  signal: AbortSignal,
): Promise<Map<number, Wire>> {
  for (const id of ids) refusals.delete(id)
  let board: Board | undefined
  const { board: number } = mapping
  const onBoard = number !== null && {
    beside: selectOwnBoard(number),
    onAnswer(repository: Record<string, unknown>) {
      board = WireOwner.safeParse(repository).data?.owner.projectV2 ?? undefined
      if (board === undefined) throw createMissingBoardError(number)
    },
  }
  const onRefusal = (id: number, error: TrackerError) => refusals.set(id, error)
  const wires = (await graphql.queryIssues(ids, { ...query, ...onBoard, onRefusal }, signal)) as Map<number, Wire>
  if (board === undefined) return wires
  for (const wire of wires.values()) wire.board = board
  await findOnFurtherBoards(wires, board, graphql, signal)
  return wires
}

/** Reads on for issues that are on more boards than are read at once, until the one is found. */
async function findOnFurtherBoards(
  wires: ReadonlyMap<number, WireShape>,
  board: Board,
  graphql: RepositoryClient,
  signal: AbortSignal,
): Promise<void> {
  const shape = z.object({ projectItems: WireBoardItems.nullish() })
  for (;;) {
    const cursors = new Map<number, string>()
    for (const [id, { projectItems }] of wires)
      if (projectItems?.next != null && findBoardItem(projectItems.entries, board) === null)
        cursors.set(id, projectItems.next)
    if (cursors.size === 0) return
    const fieldsOf = (id: number) => selectBoardItems(PAGE_OF_BOARDS, cursors.get(id))
    const query = { batchSize: BATCH_SIZES.items, fields: () => '', fieldsOf, shape }
    const pages = await graphql.queryIssues([...cursors.keys()], query, signal)
    for (const [id, cursor] of cursors) {
      const page = pages.get(id)?.projectItems
      // A tracker that names the same page again must not keep a command reading forever.
      wires.get(id)!.projectItems = page && page.next !== cursor ? page : { entries: [], next: null }
    }
  }
}

const PAGE_OF_BOARDS = 10
