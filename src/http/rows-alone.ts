import type { AnyOperation, Context } from '../kernel'
import type { Database } from '../storage'

/** What gives the same whenever it is asked, as long as no row has changed: the rest tells of time, chance, files or other servers. */
const STEADY: ReadonlySet<PropertyKey> = new Set(['db', 'actor', 'user', 'log', 'signal', 'progress'])

/**
 * The operation, and whether the answer that it has given was made out of the rows and nothing else. What it does decides that, not what is
 * said of it: as long as it reaches for steady things alone, nothing else can have led it.
 */
export function watchedForRowsAlone(op: AnyOperation): { op: AnyOperation; isOfRowsAlone(): boolean } {
  let isOfRowsAlone = true
  const run: AnyOperation['run'] = (ctx, input) => {
    const watched = new Proxy(ctx as Context, {
      get(target, name) {
        if (!STEADY.has(name)) isOfRowsAlone = false
        return target[name as keyof Context]
      },
    })
    return op.run(watched, input)
  }
  return { op: { ...op, run }, isOfRowsAlone: () => isOfRowsAlone }
}

/** Runs `work`, and says of which version of the database all that it saw was; null where it may have seen two. */
export async function ofOneVersion<R>(
  db: Database,
  work: () => Promise<R>,
): Promise<{ value: R; version: object | null }> {
  const before = db.version?.() ?? null
  const value = await work()
  return { value, version: before !== null && db.version!() === before ? before : null }
}
