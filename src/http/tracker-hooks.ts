import type { HookContext } from '../items/services/hooks/receive-event'
import { memoizeAsync } from '../kernel/work/memoize-async'
import { HOOKS_PATH } from '../tracker/hooks-path'
import type { AppRoute } from './app-env'
import type { Caller } from './callers/caller'
import type { CallerLimits } from './callers/caller-limits'

/**
 * `POST /api/tracker/hooks/{name}`: a tracker reports what has changed. Trackers rarely send an event again that was refused, so only requests without
 * a valid proof count against the limit of their address, and as failed credentials. Without any proof, no body is read. `onReport` is called
 * when items were reported.
 */
export function trackerHookRoute(
  { caller, limits }: { caller: Pick<Caller, 'checkProof'>; limits: CallerLimits },
  ctx: HookContext,
  onReport: () => void,
): AppRoute {
  const load = memoizeAsync(async () => {
    const { HookReceiver } = await import('../items/services/hooks/receive-event')
    return new HookReceiver(ctx, onReport)
  })
  return {
    method: 'POST',
    path: `${HOOKS_PATH}/:name`,
    countsRequest: true,
    async handler(c) {
      const { call } = c.env
      const tracker = c.req.param('name') ?? ''
      const receiver = await load()
      const head = {
        header: (name: string) => c.req.header(name) ?? null,
        secretInAddress: c.req.query('secret') ?? null,
      }
      const body = receiver.hasProof(head) ? new Uint8Array(await c.req.arrayBuffer()) : new Uint8Array()
      const request = { ...head, body }
      await caller.checkProof(call, `hook ${tracker}`, async () => {
        if (await receiver.isAuthentic(tracker, request)) return
        limits.countRequest(call)
        throw receiver.createRefusal()
      })
      call.caller = `tracker ${tracker}`
      await receiver.accept(tracker, request)
      return c.json({ accepted: true }, 202)
    },
  }
}
