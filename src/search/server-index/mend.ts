import type { Searchable } from '../../items'
import type { Context } from '../../kernel'
import type { ReadTx, StorageContext, WriteTx } from '../../storage'
import { averageLengths, type Lengths } from '../impacts'
import { findAverages, removeEntries, saveAverages } from '../queries/entries'
import {
  countRows,
  countStale,
  holdRows,
  holdStale,
  idsAfter,
  idsInSteps,
  lastStale,
  removeOrphans,
  removeStale,
  removeStaleUpTo,
} from '../queries/upkeep'
import { formsAfter, heldTerms, removeForms } from '../queries/vocabulary'
import type { EntityType } from '../search-index'
import { findSearchables } from '../searchables'
import { type TermsOf, termsOfTokens } from '../terms-of'
import { analyse, Forms } from './entry'
import { keepEntities, plainEntity } from './keep-entries'
import { entityAt, keyOf, TYPES } from './key'

type Call = Pick<Context, 'clock' | 'progress' | 'signal'> & StorageContext

/** So many entities are held, and kept, in one transaction. */
const AT_ONCE = 500
/** Of larger collections one in so many is counted. */
const COUNTED_FOR_AVERAGES = 5_000

/**
 * Takes up what others have changed without keeping the index, page by page, while everybody goes on.
 * @returns whether there was any but what was there before the index was.
 */
export async function mendStale(ctx: Call): Promise<boolean> {
  const { stale, averages } = await ctx.db.read(async (tx) => ({
    stale: await countStale(tx),
    averages: await findAverages(tx),
  }))
  if (averages === null && stale > AT_ONCE) await setAverages(ctx, 'keep')
  const termsOf = termsOfTokens()
  let lagged = false
  for (let done = 0; ; ) {
    ctx.signal.throwIfAborted()
    ctx.progress({ label: 'indexing', done: Math.min(done, stale), total: stale })
    const mended = await ctx.db.write((tx) => mendPage(tx, ctx, termsOf), { locksRows: true })
    if (mended.length === 0) return lagged
    done += mended.length
    lagged ||= mended.some(({ initial }) => initial === 0)
  }
}

/** @returns the notes that this was told by. */
async function mendPage(tx: WriteTx, ctx: Call, termsOf: TermsOf): Promise<{ initial: number }[]> {
  const notes = await holdStale(tx, AT_ONCE)
  const entities = [...new Set(notes.map(({ key }) => key))].map(entityAt)
  const gone = new Set(entities.map(keyOf))
  for (const type of TYPES) {
    const ids = entities.filter((entity) => entity.type === type).map(({ id }) => id)
    for (const { id } of await keepPage(tx, ctx, { type, ids, termsOf })) gone.delete(keyOf({ type, id }))
  }
  if (gone.size > 0) await removeEntries(tx, [...gone])
  if (notes.length > 0) {
    await removeStale(
      tx,
      notes.map(({ id }) => id),
    )
  }
  return notes
}

/** Makes all of it anew, page by page: meanwhile it answers, and others go on writing. */
export async function rebuildAll(ctx: Call): Promise<void> {
  const { last, total } = await ctx.db.read(async (tx) => ({ last: await lastStale(tx), total: await countAll(tx) }))
  await setAverages(ctx, 'replace')
  const termsOf = termsOfTokens()
  let done = 0
  for (const type of TYPES) {
    for (let id = 0; ; ) {
      ctx.signal.throwIfAborted()
      ctx.progress({ label: 'indexing', done: Math.min(done, total), total })
      const ids = await ctx.db.write(
        async (tx) => {
          const next = await idsAfter(tx, type, id, AT_ONCE)
          await keepPage(tx, ctx, { type, ids: next, termsOf })
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
      await removeStaleUpTo(tx, last)
    },
    { locksRows: true },
  )
  await sweepForms(ctx)
}

/** @returns those that are there. */
async function keepPage(
  tx: WriteTx,
  { clock }: Pick<Call, 'clock'>,
  { type, ids, termsOf }: { type: EntityType; ids: readonly number[]; termsOf: TermsOf },
): Promise<Searchable[]> {
  if (ids.length === 0) return []
  await holdRows(tx, type, ids)
  const there = await findSearchables(tx, type, ids)
  await keepEntities(tx, there.map(plainEntity), { termsOf, at: new Date(clock.now()).toISOString() })
  return there
}

async function setAverages(ctx: Call, known: 'replace' | 'keep'): Promise<void> {
  const averages = await ctx.db.read(averagesOf)
  if (averages) await ctx.db.write((tx) => saveAverages(tx, averages, known), { locksRows: true })
}

async function averagesOf(tx: ReadTx): Promise<Lengths | null> {
  const step = Math.max(1, Math.ceil((await countAll(tx)) / COUNTED_FOR_AVERAGES))
  const [termsOf, forms] = [termsOfTokens(), new Forms()]
  const counted: { lengths: Lengths }[] = []
  for (const type of TYPES) {
    const ids = await idsInSteps(tx, type, step)
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      for (const searchable of await findSearchables(tx, type, ids.slice(start, start + AT_ONCE))) {
        counted.push({ lengths: analyse(plainEntity(searchable), termsOf, forms).lengths })
      }
    }
  }
  return counted.length === 0 ? null : averageLengths(counted)
}

async function countAll(tx: ReadTx): Promise<number> {
  let total = 0
  for (const type of TYPES) total += await countRows(tx, type)
  return total
}

const FORMS_AT_ONCE = 2_000

/** Forms of which no text holds the word any more. */
async function sweepForms(ctx: Call): Promise<void> {
  for (let after = ''; ; ) {
    ctx.signal.throwIfAborted()
    const last = await ctx.db.write(
      async (tx) => {
        const forms = await formsAfter(tx, after, FORMS_AT_ONCE)
        const held = await heldTerms(tx, [...new Set(forms.map(({ term }) => term))])
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
