import { type Access, hint, StudioError, suggestCommand } from '../kernel'
import type { AppOptions, AppRoute } from './app'
import { callSignal } from './call-signal'
import { logOf } from './log-of-call'
import { CALL_WITHIN_MS } from './operation-route'

/**
 * The operations as tools, behind the same guards: the credentials of a call decide which tools there are. A token opens those of the
 * stories, a dock key those of the docks, and both together open both. Only a POST means anything there.
 */
export function agentToolsRoute({ studio, caller, version, stopping, log }: AppOptions): AppRoute {
  return {
    method: 'POST',
    path: '/mcp',
    async handler(c) {
      const actorFor = (access: Access) => caller.actorFor(c.env.call, access)
      if (actorFor('workspace').kind === 'nobody') throw missingToken()
      const { answerToolRequest } = await import('../mcp/http')
      // A body that turns out too large gets the answer that it gets everywhere.
      const isChunked = c.req.header('transfer-encoding') !== undefined
      const request = isChunked ? new Request(c.req.raw, { body: await c.req.text() }) : c.req.raw
      return answerToolRequest(request, {
        version,
        actorFor,
        open({ actor, signal: asked, withinMs, progress }) {
          const { signal, done } = callSignal([asked, stopping], withinMs ?? CALL_WITHIN_MS)
          return { context: { ...studio.context({ actor, signal, progress }), log: logOf(c, log) }, done }
        },
      })
    },
  }
}

function missingToken(): StudioError {
  return new StudioError('unauthenticated', 'The tools need a token, or a dock key.', {
    hint: hint`Send Authorization: Bearer <token>. Create a token: ${suggestCommand('tokens.create', { name: 'agent', scopes: 'read' })}`,
  })
}
