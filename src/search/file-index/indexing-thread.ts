import { parentPort, workerData } from 'node:worker_threads'
import type { Searchable } from '../../items'
import { createTokenStemmer } from '../rules/stem'
import type { EntityRef } from '../services/search-index'
import { IndexFolder, type SegmentEntry } from './index-folder'
import { SegmentBatch } from './segment-batch'

/** What a thread is asked to do, one after the other. It answers each with an `IndexingAnswer`. */
export type IndexingTask =
  | { add: readonly Searchable[] }
  | { remove: EntityRef }
  | { merge: readonly SegmentEntry[] }
  | { finish: true }
  | { abandon: true }

export type IndexingAnswer = { entries: SegmentEntry[] } | { failed: string }

/** The path of the index. */
export interface IndexingData {
  indexAt: string
}

/** This file is what the thread runs. */
const batch = new SegmentBatch(new IndexFolder((workerData as IndexingData).indexAt), createTokenStemmer())
let last: Promise<unknown> = Promise.resolve()

parentPort!.on('message', (task: IndexingTask) => {
  last = last.then(async () => parentPort!.postMessage(await answer(task)))
})

async function answer(task: IndexingTask): Promise<IndexingAnswer> {
  try {
    if ('add' in task) await batch.add(task.add)
    else if ('remove' in task) await batch.remove(task.remove)
    else if ('merge' in task) await batch.merge(task.merge)
    else if ('abandon' in task) await batch.abandon()
    return { entries: 'finish' in task ? await batch.finish() : [] }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
