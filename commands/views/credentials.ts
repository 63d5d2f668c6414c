import type { ResultOf } from '../../src/catalog'
import { type Canvas, facts, printableLine, table } from '../layout'

/** The only time that the token is seen. */
export function renderNewToken(answer: ResultOf<'tokens.create'>, canvas: Canvas): string {
  return [
    facts(
      [
        ['Token', canvas.colors.strong(answer.token)],
        ['Name', printableLine(answer.name)],
        ['Scopes', answer.scopes.join(', ')],
        ['Expires', answer.expiresAt ?? 'never'],
        ['ID', answer.id],
      ],
      canvas,
    ),
    'Keep it now: it is not shown again. Send it as Authorization: Bearer <token>.\n',
  ].join('')
}

export function renderTokens(list: ResultOf<'tokens.list'>, canvas: Canvas): string {
  if (list.length === 0) return 'There are no tokens. Make one: studio token create --name <name>\n'
  return table(
    list,
    [
      { title: 'name', text: ({ name }) => printableLine(name) },
      { title: 'scopes', text: ({ scopes }) => scopes.join(', ') },
      { title: 'prefix', text: ({ prefix }) => prefix },
      { title: 'created', text: ({ createdAt }) => formatMinute(createdAt) },
      { title: 'last used', text: ({ lastUsedAt }) => formatMinute(lastUsedAt) },
      { title: 'ends', text: ({ expiresAt, revokedAt }) => (revokedAt === null ? formatMinute(expiresAt) : 'revoked') },
      { title: 'id', text: ({ id }) => id },
    ],
    canvas,
  )
}

function formatMinute(instant: string | null): string {
  return instant === null ? 'never' : `${instant.slice(0, 16)}Z`
}

/** The only time that the key is seen. */
export function renderNewKey(answer: { key: string; id: string; tenant: string }, canvas: Canvas): string {
  return [
    facts(
      [
        ['Key', canvas.colors.strong(answer.key)],
        ['Tenant', printableLine(answer.tenant)],
        ['ID', answer.id],
      ],
      canvas,
    ),
    'Keep it now: it is not shown again. Send it in the header X-API-Key.\n',
  ].join('')
}
