import type { ResultOf } from '../../src/catalog'
import { type Canvas, facts, printableLine, table } from '../terminal/layout'

export function renderNewToken(answer: ResultOf<'tokens.create'>, canvas: Canvas): string {
  return [
    facts(canvas, [
      ['Token', canvas.colors.strong(answer.token)],
      ['Name', printableLine(answer.name)],
      ['Role', answer.role],
      ['Expires', answer.expiresAt ?? 'never'],
      ['ID', answer.id],
    ]),
    'Copy the token now: it is not shown again. Send it in the header Authorization: Bearer <token>.\n',
  ].join('')
}

export function renderTokens(list: ResultOf<'tokens.list'>, canvas: Canvas): string {
  if (list.length === 0) return 'There are no tokens. Create one: studio token create --name <name>\n'
  return table(canvas, list, [
    { title: 'NAME', text: ({ name }) => printableLine(name) },
    { title: 'ROLE', text: ({ role }) => role },
    { title: 'PREFIX', text: ({ prefix }) => prefix },
    { title: 'CREATED', text: ({ createdAt }) => formatMinute(createdAt) },
    { title: 'LAST USED', text: ({ lastUsedAt }) => formatMinute(lastUsedAt) },
    {
      title: 'EXPIRES',
      text: ({ expiresAt, revokedAt }) => (revokedAt === null ? formatMinute(expiresAt) : 'revoked'),
    },
    { title: 'ID', text: ({ id }) => id },
  ])
}

export function renderKeys(list: ResultOf<'tenants.list-keys'>, canvas: Canvas): string {
  if (list.length === 0) return 'The tenant has no keys. Create one: studio tenant key create --name <name>\n'
  return table(canvas, list, [
    { title: 'NAME', text: ({ name }) => printableLine(name) },
    { title: 'ROLE', text: ({ role }) => role },
    { title: 'CARRIER', text: ({ carrier }) => printableLine(carrier ?? '') },
    {
      title: 'LAST USED',
      text: ({ lastUsedAt, revokedAt }) => (revokedAt === null ? formatMinute(lastUsedAt) : 'revoked'),
    },
    { title: 'ID', text: ({ id }) => id },
  ])
}

export function renderStaff(list: ResultOf<'staff.list'>, canvas: Canvas): string {
  if (list.length === 0) return 'The tenant has no staff. Add a member: studio staff add <email> --role clerk\n'
  return table(canvas, list, [
    { title: 'NAME', text: ({ name }) => printableLine(name) },
    { title: 'E-MAIL', text: ({ email }) => printableLine(email) },
    { title: 'ROLE', text: ({ role }) => role },
    { title: 'TENANT', text: ({ tenant }) => printableLine(tenant) },
    { title: 'ADDED', text: ({ createdAt }) => createdAt.slice(0, 10) },
  ])
}

export function renderSessions(list: ResultOf<'sessions.list'>, canvas: Canvas): string {
  if (list.length === 0) return 'No browser is signed in to the console. Sign one in: studio console\n'
  return table(canvas, list, [
    {
      title: 'NAME',
      text: ({ kind, name }) => printableLine(`${name ?? 'dock key'}${kind === 'link' ? ' (link)' : ''}`),
    },
    { title: 'ROLE', text: ({ role }) => role ?? '' },
    { title: 'TENANT', text: ({ tenant }) => printableLine(tenant ?? '') },
    { title: 'ADDRESS', text: ({ address }) => printableLine(address ?? '') },
    { title: 'LAST USED', text: ({ lastUsedAt }) => formatMinute(lastUsedAt) },
    { title: 'ID', text: ({ id }) => id },
  ])
}

function formatMinute(instant: string | null): string {
  return instant === null ? 'never' : `${instant.slice(0, 16)}Z`
}

export function renderNewKey(
  answer: { key: string; id: string; tenant: string; name: string; role: string; carrier: string | null },
  canvas: Canvas,
): string {
  return [
    facts(canvas, [
      ['Key', canvas.colors.strong(answer.key)],
      ['Tenant', printableLine(answer.tenant)],
      ['Carrier', answer.carrier && printableLine(answer.carrier)],
      ['Name', printableLine(answer.name)],
      ['Role', answer.role],
      ['ID', answer.id],
    ]),
    'Copy the key now: it is not shown again. Send it in the header X-API-Key.\n',
  ].join('')
}
