import type { Context } from '../../kernel'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { materializeAll } from './series'
import { offerEverywhere } from './waitlist'

/**
 * Books the dates of all series that are due, now and every hour, and offers free slots to the waitlist, now and every minute, until the
 * signal of the context aborts.
 */
export async function startDockUpkeep(ctx: Context & StorageContext): Promise<void> {
  const repeat = (work: () => Promise<unknown>, everyMs: number, failure: string) => {
    const run = () =>
      work().catch((error: unknown) => {
        if (!ctx.signal.aborted) ctx.log.warn(failure, { cause: error })
      })
    const timer = setInterval(run, everyMs).unref()
    ctx.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
    return run()
  }
  await repeat(() => materializeAll(ctx, {}), HOUR_MS, 'dates of series could not be booked')
  await repeat(() => offerEverywhere(ctx, {}), MINUTE_MS, 'free slots could not be offered to the waitlist')
}
