import type { ResultOf } from '../../src/catalog'
import { type Canvas, facts, printableLine, table } from '../terminal/layout'

export function renderInvitation(answer: ResultOf<'carriers.invite'>, canvas: Canvas): string {
  const { link, email, mailProblem } = answer
  return [
    facts(canvas, [
      ['Link', link && canvas.colors.strong(link)],
      ['Carrier', printableLine(answer.carrier)],
      ['E-mail', email && printableLine(email)],
      ['Expires', answer.expiresAt],
      ['ID', answer.id],
    ]),
    mailProblem === null ? '' : `The link was not mailed: ${printableLine(mailProblem)}.\n`,
    link === null
      ? `A mail with the link is on its way to ${printableLine(email!)}.\n`
      : 'Copy the link now: it is not shown again. It works once, in one browser.\n',
  ].join('')
}

export function renderInvitations(list: ResultOf<'carriers.list-invitations'>, canvas: Canvas): string {
  if (list.length === 0) return 'No carrier was invited. Invite one: studio carrier invite <carrier>\n'
  return table(canvas, list, [
    { title: 'CARRIER', text: ({ carrier }) => printableLine(carrier) },
    { title: 'E-MAIL', text: ({ email }) => printableLine(email ?? '') },
    { title: 'LAST USED', text: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : `${lastUsedAt.slice(0, 16)}Z`) },
    { title: 'EXPIRES', text: ({ state, expiresAt }) => (state === 'live' ? expiresAt.slice(0, 10) : state) },
    { title: 'ID', text: ({ id }) => id },
  ])
}
