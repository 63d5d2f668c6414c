import { BackgroundWork } from '../../background/background-work'
import type { Context } from '../../kernel'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { remindEverywhere } from '../reminders/services/reminders'
import { materializeAll } from '../series/services/series'
import { offerEverywhere } from '../waitlist/services/waitlist'

/**
 * Books the dates of all series that are due, now and every hour, offers free slots to the waitlist and reminds of appointments, now and
 * every minute, until the signal of the context is aborted. A series comes first, because it has waited for longer.
 */
export async function keepDocksUp(ctx: Context & StorageContext): Promise<void> {
  const series = new BackgroundWork(ctx, 'the booking of series', () => materializeAll(ctx, {}, { isUpkeep: true }))
  const offers = new BackgroundWork(ctx, 'the offer of slots to the waitlist', () =>
    offerEverywhere(ctx, {}, { isUpkeep: true }),
  )
  const reminders = new BackgroundWork(ctx, 'the reminders of appointments', () =>
    remindEverywhere(ctx, {}, { isUpkeep: true }),
  )
  await series.attempt()
  await offers.attempt()
  await reminders.attempt()
  await Promise.all([series.repeat(HOUR_MS), offers.repeat(MINUTE_MS), reminders.repeat(MINUTE_MS)])
}
