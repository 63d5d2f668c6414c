import type { Context } from '../../kernel'
import { HOUR_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { materializeAll } from './series'

/** Books the dates of all series that are due, now and every hour until the signal of the context aborts. */
export async function startDockUpkeep(ctx: Context & StorageContext): Promise<void> {
  const run = () =>
    materializeAll(ctx, {}).catch((error: unknown) => {
      if (!ctx.signal.aborted) ctx.log.warn('dates of series could not be booked', { cause: error })
    })
  const timer = setInterval(run, HOUR_MS).unref()
  ctx.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  await run()
}
