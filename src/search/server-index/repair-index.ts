import type { Searchable } from '../../items'
import type { Context } from '../../kernel'
import type { ReadTx, StorageContext, WriteTx } from '../../storage'
import { findHeldTerms, listFormsAfter, removeForms } from '../queries/dictionary'
import { findAverages, removeEntries, saveAverages } from '../queries/entries'
import {
  countRows,
  countStaleNotes,
  findLastStaleNote,
  listIdsAfter,
  lockRows,
  lockStaleNotes,
  removeOrphans,
  removeStaleNotes,
  removeStaleNotesUpTo,
  sampleIds,
} from '../queries/maintenance'
import { averageFieldLengths, type FieldLengths } from '../rules/count-terms'
import { createTokenStemmer, type TokenStemmer } from '../rules/stem'
import { decodeEntityKey, encodeEntityKey, TYPES } from '../services/entity'
import { findSearchables, toEntity } from '../services/find-searchables'
import type { EntityType } from '../services/search-index'
import { analyzeEntity, storeEntities, WordFormSet } from './store-entities'

type Call = Pick<Context, 'clock' | 'progress' | 'signal'> & StorageContext

/** How many entities one transaction indexes. */
const BATCH_SIZE = 500
/** Larger collections are sampled. */
const AVERAGES_SAMPLE_SIZE = 5_000

/**
 * Indexes changes that other programs made without updating the index, page by page, while others keep reading and writing.
 * @returns whether there were changes since the index was created.
 */
export async function repairStaleEntries(ctx: Call): Promise<boolean> {
  const { stale, averages } = await ctx.db.read(async (tx) => ({
    stale: await countStaleNotes(tx),
    averages: await findAverages(tx),
  }))
  if (averages === null && stale > BATCH_SIZE) await updateAverages(ctx, 'keep')
  const stemToken = createTokenStemmer()
  let hasLagged = false
  for (let done = 0; ; ) {
    ctx.signal.throwIfAborted()
    ctx.progress({ label: 'indexing', done: Math.min(done, stale), total: stale })
    const notes = await ctx.db.write((tx) => repairStalePage(tx, ctx, stemToken), { locksRows: true })
    if (notes.length === 0) return hasLagged
    done += notes.length
    hasLagged ||= notes.some(({ initial }) => initial === 0)
  }
}

/** @returns the notes that were processed. */
async function repairStalePage(tx: WriteTx, ctx: Call, stemToken: TokenStemmer): Promise<{ initial: number }[]> {
  const notes = await lockStaleNotes(tx, BATCH_SIZE)
  const entities = [...new Set(notes.map(({ key }) => key))].map(decodeEntityKey)
  const removed = new Set(entities.map(encodeEntityKey))
  for (const type of TYPES) {
    const ids = entities.filter((entity) => entity.type === type).map(({ id }) => id)
    for (const { id } of await indexPage(tx, ctx, { type, ids, stemToken }))
      removed.delete(encodeEntityKey({ type, id }))
  }
  if (removed.size > 0) await removeEntries(tx, [...removed])
  if (notes.length > 0) {
    await removeStaleNotes(
      tx,
      notes.map(({ id }) => id),
    )
  }
  return notes
}

/** Rebuilds the index page by page, while others keep searching and writing. */
export async function rebuildIndex(ctx: Call): Promise<void> {
  const { last, total } = await ctx.db.read(async (tx) => ({
    last: await findLastStaleNote(tx),
    total: await countAll(tx),
  }))
  await updateAverages(ctx, 'replace')
  const stemToken = createTokenStemmer()
  let done = 0
  for (const type of TYPES) {
    for (let id = 0; ; ) {
      ctx.signal.throwIfAborted()
      ctx.progress({ label: 'indexing', done: Math.min(done, total), total })
      const ids = await ctx.db.write(
        async (tx) => {
          const next = await listIdsAfter(tx, type, id, BATCH_SIZE)
          await indexPage(tx, ctx, { type, ids: next, stemToken })
          return next
        },
        { locksRows: true },
      )
      if (ids.length === 0) break
      done += ids.length
      id = ids.at(-1)!
    }
  }
  await ctx.db.write(
    async (tx) => {
      await removeOrphans(tx)
      await removeStaleNotesUpTo(tx, last)
    },
    { locksRows: true },
  )
  await removeUnusedForms(ctx)
}

/** @returns the entities that exist. */
async function indexPage(
  tx: WriteTx,
  { clock }: Pick<Call, 'clock'>,
  { type, ids, stemToken }: { type: EntityType; ids: readonly number[]; stemToken: TokenStemmer },
): Promise<Searchable[]> {
  if (ids.length === 0) return []
  await lockRows(tx, type, ids)
  const found = await findSearchables(tx, type, ids)
  await storeEntities(
    tx,
    found.map((one) => toEntity(one)),
    { stemToken, at: new Date(clock.now()).toISOString() },
  )
  return found
}

async function updateAverages(ctx: Call, known: 'replace' | 'keep'): Promise<void> {
  const averages = await ctx.db.read(computeAverages)
  if (averages) await ctx.db.write((tx) => saveAverages(tx, averages, known), { locksRows: true })
}

async function computeAverages(tx: ReadTx): Promise<FieldLengths | null> {
  const step = Math.max(1, Math.ceil((await countAll(tx)) / AVERAGES_SAMPLE_SIZE))
  const [stemToken, forms] = [createTokenStemmer(), new WordFormSet()]
  const counted: { lengths: FieldLengths }[] = []
  for (const type of TYPES) {
    const ids = await sampleIds(tx, type, step)
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      for (const searchable of await findSearchables(tx, type, ids.slice(start, start + BATCH_SIZE))) {
        counted.push({ lengths: analyzeEntity(toEntity(searchable), stemToken, forms).lengths })
      }
    }
  }
  return counted.length === 0 ? null : averageFieldLengths(counted)
}

async function countAll(tx: ReadTx): Promise<number> {
  let total = 0
  for (const type of TYPES) total += await countRows(tx, type)
  return total
}

const FORM_BATCH_SIZE = 2_000

/** Removes forms that no text contains. */
async function removeUnusedForms(ctx: Call): Promise<void> {
  for (let after = ''; ; ) {
    ctx.signal.throwIfAborted()
    const last = await ctx.db.write(
      async (tx) => {
        const forms = await listFormsAfter(tx, after, FORM_BATCH_SIZE)
        const held = await findHeldTerms(tx, [...new Set(forms.map(({ term }) => term))])
        const dead = forms.filter(({ term }) => !held.has(term))
        if (dead.length > 0) {
          await removeForms(
            tx,
            dead.map(({ form }) => form),
          )
        }
        return forms.at(-1)?.form ?? null
      },
      { locksRows: true },
    )
    if (last === null) return
    after = last
  }
}
