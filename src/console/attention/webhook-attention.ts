import { pluralize } from '../../kernel/text/text'
import type { AttentionEntry } from '../components/attention'
import type { PageRequest } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { MESSAGES_PAGE } from '../pages/settings/messages'

const MAX_WEBHOOKS = 5

/** The webhooks that have stopped, or have given events up. Empty for a caller who does not manage them. */
export async function webhookAttention({
  run,
  may,
  url: next,
}: Pick<PageRequest, 'run' | 'may' | 'url'>): Promise<AttentionEntry[]> {
  if (!(await may('webhooks.list'))) return []
  const webhooks = await run('webhooks.list', {})
  const wrong = webhooks.filter(({ dead, stoppedAt }) => dead > 0 || stoppedAt !== null)
  return wrong.slice(0, MAX_WEBHOOKS).map(({ id, url, dead, stoppedAt, stopReason }) => {
    const page = `${MESSAGES_PAGE}?${new URLSearchParams({ 'given-up': id })}#given-up`
    const hidden = { id, next }
    return stoppedAt === null
      ? {
          tone: 'bad',
          state: 'not delivered',
          title: url,
          href: page,
          about: `${pluralize(dead, 'event')} given up`,
          action: operationForm('webhooks.replay', {
            hidden,
            word: 'Send again',
            about: `Send again what ${url} did not accept`,
            quiet: true,
          }),
        }
      : {
          tone: 'bad',
          state: 'stopped',
          title: url,
          href: page,
          about: stopReason ?? '',
          action: operationForm('webhooks.resume', { hidden, word: 'Resume', about: `Resume ${url}`, quiet: true }),
        }
  })
}
