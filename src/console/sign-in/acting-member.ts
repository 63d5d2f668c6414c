import { StudioError } from '../../kernel'
import { type ConsoleCall, type ConsoleHandler, isFromScript } from '../console-call'
import { readForm, requireOwnForm, safePage } from '../forms/form'
import { type Html, html } from '../html'
import { goTo } from './sign-in'

const PATH = '/console/acting-member'

/** Names the membership for which a page was written. */
const HEADER = 'x-acting-member'

/** Lets the session act for another tenant on whose staff its user is. */
export const chooseActingMember: ConsoleHandler = async (call) => {
  const { options, session } = call
  requireOwnForm(call)
  const { member, next } = await readForm(call)
  if (session === null || !(await options.caller.actAs(session, member)))
    throw new StudioError('not_found', 'You are not on the staff of this tenant.', { hint: 'Load the page again.' })
  return goTo(call, safePage(next))
}

/**
 * Throws `conflict` for a form of a page that was written for another tenant than the session acts for now, because a code of a facility may
 * exist in both. A page in another tab may have switched. Only the script of the pages can say for which tenant they were written.
 */
export function requireSameMember(call: ConsoleCall): void {
  const { c, session } = call
  if (session === null || session.memberships.length < 2) return
  if (!isFromScript(call))
    throw new StudioError('conflict', 'Forms need scripts, because you are on the staff of several tenants.', {
      hint: 'Allow scripts in your browser, and load the page again.',
    })
  if ((c.req.header(HEADER) ?? '') === actingMemberOf(call)) return
  throw new StudioError('conflict', 'You act for another tenant now than when this page was loaded.', {
    hint: 'Load the page again.',
  })
}

/** The ID of the membership with which the session acts; empty for none. */
export function actingMemberOf({ session }: Pick<ConsoleCall, 'session'>): string {
  const credential = session?.dock?.credential
  return credential?.kind === 'member' ? credential.id : ''
}

/** The tenant that the user acts for. Several are a choice. */
export function tenantChoice(call: Pick<ConsoleCall, 'session'>, next: string): Html | '' {
  const memberships = call.session?.memberships ?? []
  const acting = actingMemberOf(call)
  if (memberships.length === 0) return ''
  if (memberships.length === 1 && memberships[0]!.id === acting)
    return html`<span class="account">${memberships[0]!.tenant}</span>`
  return html`<form class="account" method="post" action="${PATH}"><input type="hidden" name="next" value="${next}">
<label>Act for <select name="member" required>${acting === '' ? html`<option value=""></option>` : ''}${memberships.map(
    ({ id, tenant }) => html`<option value="${id}"${id === acting ? html` selected` : ''}>${tenant}</option>`,
  )}</select></label> <button type="submit" class="quiet">Switch</button></form>`
}
